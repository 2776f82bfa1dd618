import { sql } from 'kysely'
import type { UserRows } from '../../auth/export-user-data.ts'
import type { Database } from '../database.ts'
import { belongsTo, type OwnedTable, ownedTables } from '../room-in-database.ts'

const ROWS_AT_ONCE = 50
const CURSOR = sql.id('rows_of_a_user')

type Snapshot = Pick<Database, 'getExecutor'>

/** One transaction for all tables: they are read as they were together. */
export function createUserRows(database: Database): UserRows {
  return {
    async *read(userId) {
      const snapshot = await database.startTransaction().setIsolationLevel('repeatable read').execute()
      try {
        for (const table of await ownedTables(snapshot)) {
          yield { name: table.name, rows: portionsOf(snapshot, table, userId) }
        }
      } finally {
        // Also when the reader left: nothing was written.
        await snapshot.rollback().execute()
      }
    },
  }
}

async function* portionsOf(snapshot: Snapshot, table: OwnedTable, userId: number): AsyncGenerator<string[]> {
  await sql`DECLARE ${CURSOR} CURSOR FOR ${selection(table, userId)}`.execute(snapshot)
  for (;;) {
    const { rows } = await sql<{ row: string }>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM ${CURSOR}`.execute(snapshot)
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await sql`CLOSE ${CURSOR}`.execute(snapshot)
}

/** A cursor takes no parameters; the id is a whole number of ours. */
function selection(table: OwnedTable, userId: number) {
  const secrets = sql.lit(`{${table.secretColumns.map((column) => `"${column}"`).join(',')}}`)
  const row = sql`(to_jsonb(own) - ${secrets}::text[])::text AS row`
  return sql`SELECT ${row} FROM ${sql.table(table.name)} own WHERE ${belongsTo(table, userId)}`
}
