import type pg from 'pg'
import type { WriterLock } from './writer-lock.ts'

/** One writer over all machines that share our database. A connection that breaks gives the lock back by itself. */
export function postgresLock(pool: pg.Pool, within: WriterLock): WriterLock {
  return {
    exclusive: (name, work) =>
      // Those who wait in this process do not each keep a connection waiting.
      within.exclusive(name, async () => {
        const client = await pool.connect()
        try {
          await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name])
          return await work()
        } finally {
          const isFree = await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).then(
            () => true,
            () => false,
          )
          client.release(!isFree)
        }
      }),
  }
}
