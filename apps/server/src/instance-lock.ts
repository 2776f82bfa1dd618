import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartupFailure } from './startup-failure.ts'

/** Any number that no other program locks. */
const LOCK = 7_241_943
const ATTEMPTS = 30
const RETRY_MS = 100

interface InstanceLock {
  release(): Promise<void>
}

/**
 * One program per DATA_DIR: two would stop each other's database. The lock lives in the connection, so it goes with
 * a killed program; the attempts bridge the moment in which the database notices. A database that restarts forgets it:
 * then it is taken again.
 */
export async function lockInstance(url: string, dataDir: string): Promise<InstanceLock> {
  const released = new AbortController()
  let client = await lockedClient(url)
  if (!client) {
    throw new StartupFailure(
      `Another Tradewright is running on DATA_DIR ${dataDir}. Stop it, or start this one with another DATA_DIR and PORT.`,
    )
  }

  async function lockAgain(): Promise<void> {
    while (!released.signal.aborted) {
      const next = await lockedClient(url).catch(() => undefined)
      if (next) return hold(next)
      await pause(RETRY_MS, undefined, { ref: false })
    }
  }

  async function hold(next: pg.Client): Promise<void> {
    client = next
    if (released.signal.aborted) return client.end()
    client.once('end', () => void lockAgain())
  }

  await hold(client)
  return {
    async release() {
      released.abort()
      await client?.end()
    },
  }
}

/** A connection that holds the lock; undefined when another one keeps it. */
async function lockedClient(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'tradewright instance' })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])
      if (rows[0]?.locked) return client
      await pause(RETRY_MS)
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  return undefined
}
