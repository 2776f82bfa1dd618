import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres, keepRunning } from '../../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { freePort } from '../../apps/server/src/free-port.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { surviveLostConnections } from '../../apps/server/src/stores/database.ts'
import { launchProgram, type LaunchedProgram } from '../../apps/server/test-support/launched-program.ts'
import { startEmptyProviders } from '../../apps/server/test-support/providers-at.ts'

/** A web process and a worker under the real launcher, on a PostgreSQL that they did not start. */
export interface Stage {
  address: string
  dataDir: string
  server: LaunchedProgram
  worker: LaunchedProgram | undefined
  database: pg.Pool
  databasePid: () => number | undefined
  isHealthy(): Promise<boolean>
  /** False when it did not answer in time. */
  untilHealthy(timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}

const START_WITHIN_MS = 120_000

export async function openStage(folder: string, { hasWorker }: { hasWorker: boolean }): Promise<Stage> {
  const [databaseDir, dataDir] = [join(folder, 'database'), join(folder, 'data')]
  for (const each of [databaseDir, dataDir]) mkdirSync(each, { recursive: true })
  const postgres = await startEmbeddedPostgres(databaseDir)
  const endDatabase = () => endProcess(postmasterPid(databaseDir))
  process.once('exit', endDatabase)
  const log = createLog({ logLevel: 'silent' })
  const stopPostgres = keepRunning(postgres, { log, onRestart: () => {}, delayMs: () => 300 })
  const providers = await startEmptyProviders()
  const database = surviveLostConnections(new pg.Pool({ connectionString: postgres.url, max: 3 }))
  const port = await freePort()
  const environment = {
    ...providers.environment,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    APP_SECRET: 'a secret of the chaos run only',
    PORT: String(port),
    COMPUTE_THREADS: '1',
    RESTART_MAX_MS: '1000',
  }
  const server = launchProgram('apps/server/src/main.ts', environment)
  const address = `http://127.0.0.1:${port}`
  const isHealthy = () =>
    fetch(`${address}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const untilHealthy = async (timeoutMs: number) => {
    const deadline = performance.now() + timeoutMs
    while (performance.now() < deadline) {
      if (await isHealthy()) return true
      await pause(100)
    }
    return false
  }
  if (!(await untilHealthy(START_WITHIN_MS))) {
    throw new Error(`the server does not start:\n${server.output()}`)
  }
  // After the web process has made the tables.
  const worker = hasWorker ? launchProgram('apps/server/src/worker.ts', environment) : undefined
  return {
    address,
    dataDir,
    server,
    worker,
    database,
    databasePid: () => postmasterPid(databaseDir),
    isHealthy,
    untilHealthy,
    async close() {
      await Promise.all([server.stop(), worker?.stop()])
      await database.end()
      await stopPostgres()
      process.off('exit', endDatabase)
      await providers.close()
    },
  }
}

/** Whatever happens to this run, its database does not outlive it. */
function endProcess(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
  } catch {
    // It has ended by itself.
  }
}

function postmasterPid(databaseDir: string): number | undefined {
  try {
    return Number(readFileSync(join(databaseDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    return undefined
  }
}
