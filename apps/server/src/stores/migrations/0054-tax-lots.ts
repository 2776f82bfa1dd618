import { sql, type Kysely } from 'kysely'

/**
 * How the lots of an account are chosen. Activities have the order of an execution and the shares that a split or transfer
 * moved: what was collected without them is collected again.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE lot_methods (
      account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
      method text NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE lot_choices (
      account_id integer NOT NULL REFERENCES brokerage_accounts ON DELETE CASCADE,
      sale_id text NOT NULL,
      purchase_id text NOT NULL,
      quantity numeric NOT NULL,
      PRIMARY KEY (account_id, sale_id, purchase_id)
    )`.execute(database)
  await sql`ALTER TABLE account_activities ADD COLUMN order_id text`.execute(database)
  await sql`ALTER TABLE paper_cash_activities ADD COLUMN quantity numeric`.execute(database)
  await sql`DELETE FROM activity_progress`.execute(database)
}
