import { sql, type Kysely } from 'kysely'

/**
 * How an order is sent: its type, not before when, with which limit and until when. And the quote that was fresh when it
 * was sent. Earlier orders were market orders without one.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE order_intents
      ADD COLUMN order_type text NOT NULL DEFAULT 'market',
      ADD COLUMN send_at timestamptz,
      ADD COLUMN limit_price numeric,
      ADD COLUMN times_out_at timestamptz,
      ADD COLUMN timed_out boolean NOT NULL DEFAULT false,
      ADD COLUMN quote_bid numeric,
      ADD COLUMN quote_ask numeric,
      ADD COLUMN quote_at timestamptz`.execute(database)
}
