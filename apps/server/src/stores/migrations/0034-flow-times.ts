import { sql, type Kysely } from 'kysely'

/** A deposit in the morning is invested that day, one in the evening is not: the instant decides about the return. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_activities ADD COLUMN booked_at timestamptz`.execute(database)
}
