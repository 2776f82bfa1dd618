import { sql, type Kysely } from 'kysely'

/** What the executions of an order that are booked were worth together; null where that was not counted from the first. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE order_intents ADD COLUMN booked_value numeric`.execute(database)
  await sql`UPDATE order_intents SET booked_value = 0 WHERE booked_quantity = 0`.execute(database)
}
