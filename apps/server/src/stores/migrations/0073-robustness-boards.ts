import { sql, type Kysely } from 'kysely'

/** The robustness board of a result lives and goes with it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE backtests ADD COLUMN robustness jsonb`.execute(database)
}
