import { mkdtempSync, rmSync } from 'node:fs'
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
    // All users call from one address, and some of them play many tests: on a busy machine their share would be used up.
    MAX_CALLS_PER_MINUTE: '1000000',
    MAX_THREAD_PCT_PER_USER: '100',
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
