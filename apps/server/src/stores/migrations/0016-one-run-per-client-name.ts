import { sql, type Kysely } from 'kysely'

/** Two calls at once with one client's name start one run: the database decides who was first. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE optimization_runs SET client_run_id = NULL
    WHERE ended_as IS NULL AND EXISTS (
      SELECT 1 FROM optimization_runs newer
      WHERE newer.user_id = optimization_runs.user_id AND newer.client_run_id = optimization_runs.client_run_id
        AND newer.ended_as IS NULL AND newer.id > optimization_runs.id)`.execute(database)
  await sql`DROP INDEX unfinished_runs_by_client_run_id`.execute(database)
  await sql`
    CREATE UNIQUE INDEX one_unfinished_run_per_client_name ON optimization_runs (user_id, client_run_id)
    WHERE ended_as IS NULL AND client_run_id IS NOT NULL`.execute(database)
}
