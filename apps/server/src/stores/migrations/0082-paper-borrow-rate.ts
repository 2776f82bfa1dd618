import { sql, type Kysely } from 'kysely'

/** What borrowed shares cost in a paper account, in percent a year. Accounts that were opened without one have the usual rate. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE paper_accounts ADD COLUMN short_borrow_pct double precision NOT NULL DEFAULT 1`.execute(
    database,
  )
}
