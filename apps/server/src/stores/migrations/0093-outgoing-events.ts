import { sql, type Kysely } from 'kysely'

/** Webhooks carry events of their choice beside alerts; the outbox holds messages that belong to no deployment, too. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE alert_channels ADD COLUMN events text[] NOT NULL DEFAULT '{}'`.execute(database)
  await sql`
    ALTER TABLE deployment_messages
      ALTER COLUMN deployment_id DROP NOT NULL,
      ADD COLUMN user_id integer REFERENCES users ON DELETE CASCADE,
      ADD COLUMN data jsonb,
      ADD COLUMN tried_at timestamptz`.execute(database)
  await sql`
    UPDATE deployment_messages SET user_id = deployments.user_id
    FROM deployments WHERE deployments.id = deployment_id`.execute(database)
  await sql`ALTER TABLE deployment_messages ALTER COLUMN user_id SET NOT NULL`.execute(database)
  await sql`
    CREATE UNIQUE INDEX events_by_key ON deployment_messages (channel_id, key) WHERE data IS NOT NULL`.execute(database)
}
