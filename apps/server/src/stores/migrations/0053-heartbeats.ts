import { sql, type Kysely } from 'kysely'

/** An address that is called while all is well. A missed run is not well until the next decision. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN run_missed_at timestamptz`.execute(database)
  await sql`
    ALTER TABLE alert_settings
      ADD COLUMN sealed_heartbeat bytea,
      ADD COLUMN heartbeat_minutes integer NOT NULL DEFAULT 5,
      ADD COLUMN heartbeat_due_at timestamptz,
      ADD COLUMN heartbeat_at timestamptz,
      ADD COLUMN heartbeat_problem text`.execute(database)
}
