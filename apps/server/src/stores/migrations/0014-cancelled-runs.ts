import { sql, type Kysely } from 'kysely'

/** A collection run that its user has stopped did not fail. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE collection_runs
      DROP CONSTRAINT collection_runs_status_check,
      ADD CONSTRAINT collection_runs_status_check CHECK (status IN ('running', 'completed', 'failed', 'cancelled'))
  `.execute(database)
}
