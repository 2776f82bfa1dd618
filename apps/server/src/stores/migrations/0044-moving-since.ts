import { sql, type Kysely } from 'kysely'

/** Since when books and broker have differed by executions that the broker does not list yet. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_books ADD COLUMN moving_since timestamptz`.execute(database)
}
