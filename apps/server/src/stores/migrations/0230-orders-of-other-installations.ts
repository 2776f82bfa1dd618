import { sql, type Kysely } from 'kysely'

/** Keys of orders in an account that no deployment of this installation has, with the newest order of each; null where there are none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE account_books ADD COLUMN foreign_orders jsonb`.execute(database)
}
