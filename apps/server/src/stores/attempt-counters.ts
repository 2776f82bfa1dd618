import { sql } from 'kysely'
import type { AttemptCount, AttemptCounters } from '../auth/ports.ts'
import type { Database } from './database.ts'

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
    /** One statement, so that two attempts at the same moment count as two. */
    async add(subject, now, windowEndsAt) {
      const { rows } = await sql<Row>`
        INSERT INTO attempt_counters AS counter (subject, attempts, window_ends_at)
        VALUES (${subject}, 1, ${windowEndsAt})
        ON CONFLICT (subject) DO UPDATE SET
          attempts = CASE WHEN counter.window_ends_at > ${now} THEN counter.attempts + 1 ELSE 1 END,
          window_ends_at =
            CASE WHEN counter.window_ends_at > ${now} THEN counter.window_ends_at ELSE excluded.window_ends_at END
        RETURNING attempts, window_ends_at`.execute(database)
      return toCount(rows[0]!)
    },
    async prolong(subject, now, windowEndsAt) {
      const { rows } = await sql<Row>`
        INSERT INTO attempt_counters AS counter (subject, attempts, window_ends_at)
        VALUES (${subject}, 1, ${windowEndsAt})
        ON CONFLICT (subject) DO UPDATE SET
          attempts = CASE WHEN counter.window_ends_at > ${now} THEN counter.attempts + 1 ELSE 1 END,
          window_ends_at = excluded.window_ends_at
        RETURNING attempts, window_ends_at`.execute(database)
      return toCount(rows[0]!)
    },
    async clear(subject) {
      await database.deleteFrom('attempt_counters').where('subject', '=', subject).execute()
    },
    async removeEnded(now) {
      await database.deleteFrom('attempt_counters').where('window_ends_at', '<=', now).execute()
    },
  }
}

interface Row {
  attempts: number
  window_ends_at: Date
}

const toCount = (row: Row): AttemptCount => ({ attempts: row.attempts, windowEndsAt: row.window_ends_at })
