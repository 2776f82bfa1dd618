import { sql, type Kysely } from 'kysely'

/**
 * Orders that did not come through and wait, for their time or for their user; what a decision could not trade for now;
 * and when we asked for the cancellation of an order, so that one by hand is told apart.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN held_orders jsonb`.execute(database)
  await sql`ALTER TABLE deployment_decisions ADD COLUMN waits_for jsonb`.execute(database)
  await sql`ALTER TABLE order_intents ADD COLUMN cancel_asked_at timestamptz`.execute(database)
}
