import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartupFailure } from './startup-failure.ts'

/** Any number will do, as long as nobody else locks it. */
const LOCK = 7_241_943
const TRIES = 30

/**
 * One program per DATA_DIR: two would stop each other's database. The lock lives in the connection, so it goes with
 * a killed program; the tries bridge the moment in which the database notices.
 */
export async function lockInstance(url: string, dataDir: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'tradewright instance' })
  client.on('error', () => {})
  await client.connect()
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])
    if (rows[0]?.locked) return { release: () => client.end() }
    await pause(100)
  }
  await client.end()
  throw new StartupFailure(
    `Another Tradewright is running on DATA_DIR ${dataDir}. Stop it, or start this one with another DATA_DIR and PORT.`,
  )
}
