import { clusterVersion } from '../adapters/postgres/cluster.ts'
import { startEmbeddedPostgres } from '../adapters/postgres/embedded-postgres.ts'
import type { Config } from '../config.ts'
import { lockInstance } from '../instance-lock.ts'
import { StartupFailure } from '../startup-failure.ts'
import { connectClient, hasPrograms } from '../stores/backup/database-copy.ts'

interface CommandDatabase {
  readonly url: string
  /** Refuses while a program works on it. From then on none starts in this DATA_DIR until it is closed. */
  lockExclusively(): Promise<void>
  close(): Promise<void>
}

/** The database of the settings: DATABASE_URL, or the one in DATA_DIR, which runs already while the program does. */
export async function openCommandDatabase(config: Config): Promise<CommandDatabase> {
  const server = config.databaseUrl === undefined ? await startEmbeddedPostgres(config.dataDir) : undefined
  const url = config.databaseUrl ?? server!.url
  let lock: Awaited<ReturnType<typeof lockInstance>> | undefined
  return {
    url,
    async lockExclusively() {
      if (await hasPrograms(url)) throw new StartupFailure('Stop every web process and worker of this instance first.')
      if (server) lock = await lockInstance(url, config.dataDir)
    },
    // A database that was running belongs to the program that runs, unless a killed one left it: then the lock is free.
    async close() {
      await lock?.release()
      if (server && (lock || !server.adopted)) await server.stop()
    },
  }
}

/** The same, of an instance that was started before: a folder or address that is mistaken becomes no new instance. */
export async function openKnownDatabase(config: Config): Promise<CommandDatabase> {
  if (config.databaseUrl === undefined && clusterVersion(config.dataDir) === undefined) {
    throw new StartupFailure(
      `There is no Tradewright in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to the one that the instance uses.`,
    )
  }
  const database = await openCommandDatabase(config)
  try {
    if (await hasTables(database.url)) return database
    throw new StartupFailure(
      'There is no Tradewright in the database of DATABASE_URL. Set it to the one that the instance uses.',
    )
  } catch (error) {
    await database.close()
    throw error
  }
}

async function hasTables(url: string): Promise<boolean> {
  const client = await connectClient(url)
  try {
    const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('users') IS NOT NULL AS found`)
    return rows[0]!.found
  } finally {
    await client.end()
  }
}
