import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await emergencyStops(database)
  await mails(database)
}

/** Beside the status, so that every process knows why it stands still. */
async function emergencyStops(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN emergency_stopped_at timestamptz`.execute(database)
}

/** E-mails wait here until a mail server has taken them, so that no crash loses one. */
async function mails(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment_mails (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      event text NOT NULL,
      key text NOT NULL,
      recipient text NOT NULL,
      subject text NOT NULL,
      body text NOT NULL,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'given_up')),
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      failure text,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX mails_waiting ON deployment_mails (due_at) WHERE state = 'waiting'`.execute(database)
  await sql`CREATE INDEX mails_by_key ON deployment_mails (deployment_id, key)`.execute(database)
}
