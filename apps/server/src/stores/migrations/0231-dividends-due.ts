import { sql, type Kysely } from 'kysely'

/** Dividends of shares that a deployment held before their ex-date, until they are paid; null where there are none. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN dividends_due jsonb`.execute(database)
}
