import { sql, type Kysely } from 'kysely'

/** Tickers whose orders the broker takes and does not fill, by ticker; null where there are none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_books ADD COLUMN halts jsonb`.execute(database)
}
