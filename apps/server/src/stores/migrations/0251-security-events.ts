import { sql, type Kysely } from 'kysely'

/** What happened to the sign-in of an account. Without a user: names that no account has. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE security_events (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      is_failure boolean NOT NULL,
      begun_at timestamptz NOT NULL,
      at timestamptz NOT NULL,
      count integer NOT NULL,
      address text,
      user_agent text,
      detail text
    )`.execute(database)
  await sql`CREATE INDEX security_events_by_user ON security_events (user_id, is_failure, id)`.execute(database)
  await sql`CREATE INDEX security_events_by_time ON security_events (at)`.execute(database)
  await sql`
    CREATE TABLE api_key_networks (
      key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
      network_hash bytea NOT NULL,
      first_used_at timestamptz NOT NULL,
      PRIMARY KEY (key_id, network_hash)
    )`.execute(database)
}
