import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../apps/server/src/adapters/postgres/embedded-postgres.ts'

/** A program in its folder, run as its users run it. */
interface Installed {
  /** Gives its address; throws what it said when it ends before it is ready. */
  start(dataDir: string): Promise<string>
  stop(): Promise<void>
  /** Runs a command of the operator and gives what it printed. */
  command(name: string, environment: Record<string, string>, ...args: string[]): string
}

export function installedAt(folder: string, environment: Record<string, string>): Installed {
  let running: { child: ChildProcess; ended: Promise<void> } | undefined
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', LOG_LEVEL: 'warn', ...environment }
  const launcher = join(folder, 'scripts/run.mjs')
  return {
    async start(dataDir) {
      const child = spawn(process.execPath, [launcher, '--web', 'apps/server/src/main.ts'], {
        cwd: folder,
        env: { ...env, DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      running = { child, ended }
      return new Promise<string>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk.toString()
          const address = /running at (\S+)/.exec(output)?.[1]
          if (address) resolve(address)
        }
        child.stdout.on('data', read)
        child.stderr.on('data', read)
        void ended.then(() => reject(new Error(output)))
      })
    },
    async stop() {
      running?.child.kill('SIGTERM')
      await running?.ended
      running = undefined
    },
    command: (name, more, ...args) =>
      execFileSync(process.execPath, [launcher, `apps/server/src/commands/${name}.ts`, ...args], {
        cwd: folder,
        env: { ...env, ...more },
        encoding: 'utf8',
      }).trim(),
  }
}

/** The rows of every table of an instance that has stopped. */
export async function countRows(dataDir: string): Promise<Record<string, number>> {
  mkdirSync(dataDir, { recursive: true })
  const server = await startEmbeddedPostgres(dataDir)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    )
    const counts: Record<string, number> = {}
    for (const { name } of tables) {
      counts[name] = Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM "${name}"`)).rows[0]!.n)
    }
    return counts
  } finally {
    await client.end()
    await server.stop()
  }
}
