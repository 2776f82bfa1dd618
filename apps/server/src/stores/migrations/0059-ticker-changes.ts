import { sql, type Kysely } from 'kysely'

/**
 * Holdings that a corporate action turned into another ticker, until the user has chosen what becomes of them. The
 * alerts of a channel are counted by the hour, which its index did not help with. And the
 * parts of an activity that share one id, with the group that the broker names; the screen
 * that a visitor goes on to when they come back from Google.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment_ticker_changes (
      deployment_id integer NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
      from_ticker text NOT NULL,
      to_ticker text NOT NULL,
      sentence text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (deployment_id, from_ticker)
    )`.execute(database)
  await sql`CREATE INDEX messages_of_channel_by_time ON deployment_messages (channel_id, created_at)`.execute(database)
  await sql`DROP INDEX messages_of_channel`.execute(database)
  await sql`ALTER TABLE account_activities ADD COLUMN part text NOT NULL DEFAULT '', ADD COLUMN group_id text`.execute(
    database,
  )
  await sql`UPDATE account_activities SET part = type || ':' || coalesce(ticker, '') WHERE kind = 'cash'`.execute(
    database,
  )
  await sql`ALTER TABLE google_flows ADD COLUMN return_path text`.execute(database)
  await sql`
    ALTER TABLE account_activities
      DROP CONSTRAINT account_activities_pkey,
      ADD PRIMARY KEY (account_id, kind, activity_id, part)`.execute(database)
}
