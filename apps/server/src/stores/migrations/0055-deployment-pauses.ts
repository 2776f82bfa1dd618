import { sql, type Kysely } from 'kysely'

/** When a deployment did not run by the will of a user or a limit: its runs of that time were not missed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment_pauses (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
      paused_at timestamptz NOT NULL,
      resumed_at timestamptz
    )`.execute(database)
  await sql`CREATE INDEX pauses_of_a_deployment ON deployment_pauses (deployment_id, paused_at)`.execute(database)
  await sql`
    CREATE UNIQUE INDEX one_open_pause ON deployment_pauses (deployment_id) WHERE resumed_at IS NULL`.execute(database)
}
