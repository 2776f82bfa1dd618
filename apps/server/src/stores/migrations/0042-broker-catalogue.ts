import { sql, type Kysely } from 'kysely'

/** Which brokers there are, and which of them need keys, is in the catalogue. A user has one account of each built-in one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE brokerage_accounts
      DROP CONSTRAINT brokerage_accounts_broker_check,
      DROP CONSTRAINT keys_at_a_real_broker`.execute(database)
  await sql`DROP INDEX one_paper_account`.execute(database)
  await sql`
    CREATE UNIQUE INDEX one_account_at_a_built_in_broker ON brokerage_accounts (user_id, broker)
      WHERE sealed_keys IS NULL`.execute(database)
}
