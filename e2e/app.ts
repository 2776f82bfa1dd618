import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../apps/server/test-support/program.ts'

export interface RunningApp {
  url: string
  stop: () => Promise<void>
}

/** The real program, on a data folder of its own that goes with it; on TEST_DATABASE_URL where the run gives one. */
export async function startApp(environment: Record<string, string> = {}): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-stories-'))
  const database = process.env['TEST_DATABASE_URL']
  const program = await startProgram({
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    ...(database ? { DATABASE_URL: database } : {}),
    ...environment,
  })
  const health = await fetch(`${program.url}/health`)
  if (!health.ok) throw new Error(`the app at ${program.url} is not healthy: ${health.status}`)
  return {
    url: program.url,
    stop: async () => {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** For programs that must know each other's address before either has started. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address) resolve(address.port)
        else reject(new Error('the system gave no port'))
      })
    })
  })
}
