import { sql, type Kysely } from 'kysely'

/** Since when the operator keeps an account from signing in and trading; null: it may. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN suspended_at timestamptz`.execute(database)
}
