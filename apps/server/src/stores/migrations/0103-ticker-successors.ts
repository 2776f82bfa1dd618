import { type Kysely, sql } from 'kysely'

/** What an exchange of tickers was, day and shares: with it, the history of the old ticker goes on as the new one's. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployment_ticker_changes ADD COLUMN successors jsonb NOT NULL DEFAULT '[]'`.execute(database)
  await sql`ALTER TABLE deployment_ticker_changes ALTER COLUMN successors DROP DEFAULT`.execute(database)
}
