import { sql, type Kysely } from 'kysely'

/** The owner of the keys at the broker, so that replaced keys cannot bring another account under the same books. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE brokerage_accounts ADD COLUMN broker_account_id text`.execute(database)
}
