import { type Kysely, sql } from 'kysely'

/** Whether an order sells borrowed shares, or buys them back. Earlier orders say no: of those it is not known. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE order_intents ADD COLUMN is_short boolean NOT NULL DEFAULT false`.execute(database)
}
