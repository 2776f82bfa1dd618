import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'

const ROWS_AT_ONCE = 500
const CURSOR = sql.id('portions')

/**
 * Read through a cursor: one moment of the database, and never more than a portion in memory. A cursor takes no parameters;
 * ids are whole numbers of ours.
 */
export async function* portions<Row>(database: Database, query: RawBuilder<unknown>): AsyncGenerator<readonly Row[]> {
  const snapshot = await database.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    await sql`DECLARE ${CURSOR} CURSOR FOR ${query}`.execute(snapshot)
    for (;;) {
      const { rows } = await sql<Row>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM ${CURSOR}`.execute(snapshot)
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    // Also when the reader left: nothing was written.
    await snapshot.rollback().execute()
  }
}
