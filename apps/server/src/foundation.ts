import { mkdirSync } from 'node:fs'
import type pg from 'pg'
import { allowInstalling } from './adapters/packages/on-demand.ts'
import { startEmbeddedPostgres, keepRunning } from './adapters/postgres/embedded-postgres.ts'
import { connectNotifications, type Notifications } from './adapters/postgres/notifications.ts'
import { upgradeCluster } from './adapters/postgres/upgrade-cluster.ts'
import type { Config } from './config.ts'
import { lockInstance } from './instance-lock.ts'
import type { Logger } from './log.ts'
import { programVersion } from './program-version.ts'
import { makePrivate } from './private-folder.ts'
import { processHealth } from './process-health.ts'
import { openSeal } from './secrets/open-seal.ts'
import type { Seal } from './secrets/seal.ts'
import { StartupFailure } from './startup-failure.ts'
import { connectDatabase, type Database } from './stores/database.ts'
import { migrate } from './stores/migrate.ts'

/** The base of the web process and of every worker: the database, messages between processes, the seal. */
export interface Foundation {
  databaseUrl: string
  database: Database
  pool: pg.Pool
  notifications: Notifications
  seal: Seal
  close(): Promise<void>
}

type Closer = () => Promise<void>

/** Opened in order, closed in reverse; a failure on the way closes what was open already. */
export async function openFoundation(config: Config, log: Logger): Promise<Foundation> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  allowInstalling(config.installsPackages)
  try {
    if (config.tracesUrl !== undefined) closers.push(await traces(config.tracesUrl))
    const databaseUrl = config.databaseUrl ?? (await ownDatabase(config, log, closers))
    const connection = connectDatabase(databaseUrl, log)
    const { database, pool } = connection
    closers.push(() => connection.close())
    await migrate(database).catch((error: unknown) => explainConnection(error, config))
    const notifications = await connectNotifications(databaseUrl, pool, log)
    closers.push(() => notifications.close())
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    makePrivate(config.dataDir)
    const seal = await openSeal(config, database, log)
    return { databaseUrl, database, pool, notifications, seal, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Their packages may have to be installed first; without them the program does not start half observed. */
async function traces(url: string): Promise<Closer> {
  const { openTraces } = await import('./adapters/open-telemetry/traces.ts')
  return openTraces(url, programVersion).catch((error: unknown) => {
    throw new StartupFailure(error instanceof Error ? error.message : String(error), { cause: error })
  })
}

async function ownDatabase(config: Config, log: Logger, closers: Closer[]): Promise<string> {
  await upgradeCluster(config.dataDir, log)
  const server = await startEmbeddedPostgres(config.dataDir)
  if (server.adopted) log.info('took over the database that an earlier run left running')
  const lock = await lockInstance(server.url, config.dataDir)
  // Only the holder of the lock may stop the server or start it again: otherwise it belongs to the other program.
  closers.push(keepRunning(server, { log, onRestart: () => processHealth.databaseRestarts.add() }))
  closers.push(() => lock.release())
  return server.url
}

function explainConnection(error: unknown, config: Config): never {
  if (error instanceof StartupFailure) throw error
  const reason =
    error instanceof AggregateError ? String(error.errors[0]) : error instanceof Error ? error.message : String(error)
  const [place, advice] = config.databaseUrl
    ? ['at DATABASE_URL', 'Check that it runs and that the address is right.']
    : [`in DATA_DIR ${config.dataDir}`, 'Restore DATA_DIR from a backup, or set it to another folder to start empty.']
  throw new StartupFailure(`The database ${place} cannot be used: ${reason}. ${advice}`, { cause: error })
}
