import { sql, type Kysely } from 'kysely'

/** Whether a link shares the passport too, which has trades and signals that the page does not show. Links made before do not. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE result_links ADD COLUMN with_passport boolean NOT NULL DEFAULT false`.execute(database)
}
