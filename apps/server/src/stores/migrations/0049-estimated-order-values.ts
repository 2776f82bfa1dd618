import { sql, type Kysely } from 'kysely'

/** The value an order was planned with: what limits of a day count before it is filled. Null in earlier orders. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE order_intents ADD COLUMN estimated_value numeric`.execute(database)
  await sql`CREATE INDEX orders_of_a_day ON order_intents (account_id, created_at)`.execute(database)
}
