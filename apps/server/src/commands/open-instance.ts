import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import { loadDotEnv, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { openSeal } from '../secrets/open-seal.ts'
import type { Seal } from '../secrets/seal.ts'
import { StartupFailure } from '../startup-failure.ts'
import { usernameKey } from '../auth/username-key.ts'
import { connectDatabase, type Database } from '../stores/database.ts'
import { migrate } from '../stores/migrate.ts'
import { openKnownDatabase } from './open-database.ts'

interface Instance {
  readonly config: Config
  readonly database: Database
  readonly pool: Pool
  readonly seal: Seal
}

/** Runs work on the database of the settings, brought to this version, with the seal of its keys. */
export async function onInstance<T>(work: (instance: Instance) => Promise<T>): Promise<T> {
  loadDotEnv()
  const config = readConfig(process.env)
  const server = await openKnownDatabase(config)
  const log = createLog({ logLevel: 'error' })
  const connection = connectDatabase(server.url, log, 3)
  try {
    await migrate(connection.database)
    return await work({ ...connection, config, seal: await openSeal(config, connection.database, log) })
  } finally {
    await connection.close()
    await server.close()
  }
}

export async function findUserId(database: Database, username: string): Promise<number> {
  const user = await database
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()
  if (!user) throw new StartupFailure(`There is no user "${username}" on this instance.`)
  return user.id
}
