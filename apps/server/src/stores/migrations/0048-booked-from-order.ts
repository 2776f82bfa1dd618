import { sql, type Kysely } from 'kysely'

/** Orders whose executions the broker did not list in time: what was filled is booked from the order itself. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE order_intents ADD COLUMN booked_from_order boolean NOT NULL DEFAULT false`.execute(database)
}
