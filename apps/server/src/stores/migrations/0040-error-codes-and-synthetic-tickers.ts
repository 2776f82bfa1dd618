import { sql, type Kysely } from 'kysely'

/**
 * What a failed run offers (ask the data provider again, import a file) depends on why it failed, not on its words. And
 * a model says which of the series it learned from are synthetic.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE optimization_runs ADD COLUMN error_code text`.execute(database)
  await sql`ALTER TABLE deployment_models ADD COLUMN synthetic_tickers text[] NOT NULL DEFAULT '{}'`.execute(database)
}
