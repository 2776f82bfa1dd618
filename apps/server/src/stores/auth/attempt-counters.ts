import { sql } from 'kysely'
import type { AttemptCount, AttemptCounters } from '../../auth/ports.ts'
import type { Database } from '../database.ts'

export function createAttemptCounters(database: Database): AttemptCounters {
  return {
    async read(subject, now) {
      const row = await database
        .selectFrom('attempt_counters')
        .select(['attempts', 'window_ends_at'])
        .where('subject', '=', subject)
        .where('window_ends_at', '>', now)
        .executeTakeFirst()
      return row ? toCount(row) : null
    },
    add: together(async (attempts, subject, now, windowEndsAt) => {
      const { rows } = await sql<Row>`
        INSERT INTO attempt_counters AS counter (subject, attempts, window_ends_at)
        VALUES (${subject}, ${attempts}, ${windowEndsAt})
        ON CONFLICT (subject) DO UPDATE SET
          attempts =
            CASE WHEN counter.window_ends_at > ${now} THEN counter.attempts + excluded.attempts ELSE excluded.attempts END,
          window_ends_at =
            CASE WHEN counter.window_ends_at > ${now} THEN counter.window_ends_at ELSE excluded.window_ends_at END
        RETURNING attempts, window_ends_at`.execute(database)
      return toCount(rows[0]!)
    }),
    prolong: together(async (attempts, subject, now, windowEndsAt) => {
      const { rows } = await sql<Row>`
        INSERT INTO attempt_counters AS counter (subject, attempts, window_ends_at)
        VALUES (${subject}, ${attempts}, ${windowEndsAt})
        ON CONFLICT (subject) DO UPDATE SET
          attempts =
            CASE WHEN counter.window_ends_at > ${now} THEN counter.attempts + excluded.attempts ELSE excluded.attempts END,
          window_ends_at = excluded.window_ends_at
        RETURNING attempts, window_ends_at`.execute(database)
      return toCount(rows[0]!)
    }),
    async clear(subject) {
      await database.deleteFrom('attempt_counters').where('subject', '=', subject).execute()
    },
    async removeEnded(now) {
      await database.deleteFrom('attempt_counters').where('window_ends_at', '<=', now).execute()
    },
  }
}

type Count = AttemptCounters['add']

/** Attempts on one subject that are counted by one statement. */
interface Batch {
  attempts: number
  isBegun: boolean
  readonly written: Promise<AttemptCount>
}

/**
 * Attempts on a subject whose row is being written wait, and are counted by one statement: each on its own, those of a
 * flood would wait for the same row with every connection that there is.
 */
function together(write: (attempts: number, ...asked: Parameters<Count>) => Promise<AttemptCount>): Count {
  const newest = new Map<string, Batch>()

  function begin(subject: string, now: Date, windowEndsAt: Date, before: Promise<unknown>): Batch {
    const written = before
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        batch.isBegun = true
        return write(batch.attempts, subject, now, windowEndsAt)
      })
      .finally(() => {
        if (newest.get(subject) === batch) newest.delete(subject)
      })
    const batch: Batch = { attempts: 0, isBegun: false, written }
    newest.set(subject, batch)
    return batch
  }

  return async (subject, now, windowEndsAt) => {
    const known = newest.get(subject)
    const batch =
      known && !known.isBegun ? known : begin(subject, now, windowEndsAt, known?.written ?? Promise.resolve())
    batch.attempts += 1
    const place = batch.attempts
    const { attempts, windowEndsAt: end } = await batch.written
    return { attempts: attempts - batch.attempts + place, windowEndsAt: end }
  }
}

interface Row {
  attempts: number
  window_ends_at: Date
}

const toCount = (row: Row): AttemptCount => ({ attempts: row.attempts, windowEndsAt: row.window_ends_at })
