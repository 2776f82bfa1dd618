import { sql, type Kysely } from 'kysely'

/** Channels that users are told by, and which events they want to be told of. The outbox of e-mails carries both. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE alert_channels (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      name text NOT NULL,
      target text NOT NULL,
      sealed_values bytea NOT NULL,
      is_enabled boolean NOT NULL,
      quiet_from text,
      quiet_to text,
      time_zone text,
      created_at timestamptz NOT NULL,
      CONSTRAINT quiet_hours_are_whole CHECK (
        (quiet_from IS NULL) = (quiet_to IS NULL) AND (quiet_from IS NULL) = (time_zone IS NULL)
      )
    )`.execute(database)
  await sql`CREATE INDEX alert_channels_of_user ON alert_channels (user_id)`.execute(database)
  await sql`
    CREATE TABLE alert_settings (
      user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      levels jsonb NOT NULL DEFAULT '{}'
    )`.execute(database)
  await sql`ALTER TABLE deployment_mails RENAME TO deployment_messages`.execute(database)
  await sql`
    ALTER TABLE deployment_messages
      ADD COLUMN channel_id integer REFERENCES alert_channels ON DELETE CASCADE,
      ADD COLUMN is_urgent boolean NOT NULL DEFAULT false`.execute(database)
  await sql`CREATE INDEX messages_of_channel ON deployment_messages (channel_id)`.execute(database)
}
