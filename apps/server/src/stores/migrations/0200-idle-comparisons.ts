import { sql, type Kysely } from 'kysely'

/** When a process last began to compare an account that none of its deployments trades in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_books ADD COLUMN idle_asked_at timestamptz`.execute(database)
}
