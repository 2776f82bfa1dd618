import { sql, type Kysely } from 'kysely'

/** Alerts by cause, which last until they are over or acknowledged, and channels that are told after a while. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE alerts (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      cause text NOT NULL,
      members jsonb NOT NULL,
      opened_at timestamptz NOT NULL,
      told integer NOT NULL DEFAULT 0,
      tell_at timestamptz,
      told_channels integer[] NOT NULL DEFAULT '{}',
      acknowledged_at timestamptz,
      acknowledged_by text,
      ended_at timestamptz
    )`.execute(database)
  await sql`CREATE UNIQUE INDEX open_alerts ON alerts (user_id, kind, cause) WHERE ended_at IS NULL`.execute(database)
  await sql`CREATE INDEX alerts_of_user ON alerts (user_id, opened_at)`.execute(database)
  await sql`ALTER TABLE alert_channels ADD COLUMN escalation_minutes integer NOT NULL DEFAULT 0`.execute(database)
}
