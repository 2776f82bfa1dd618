import { sql, type Kysely } from 'kysely'

/** A job belongs to the trace of the call that put it in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE jobs ADD COLUMN trace_parent text`.execute(database)
}
