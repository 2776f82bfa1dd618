import { sql, type Kysely } from 'kysely'

/** Keys for programs, and calls that must not be made twice. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      key_hash bytea NOT NULL UNIQUE,
      begins_with text NOT NULL,
      scopes text[] NOT NULL,
      calls_per_minute integer NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(database)
  await sql`CREATE INDEX api_keys_by_user ON api_keys (user_id)`.execute(database)
  await sql`
    CREATE TABLE idempotent_calls (
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      key text NOT NULL,
      fingerprint bytea NOT NULL,
      begun_at timestamptz NOT NULL,
      finished_at timestamptz,
      answer bytea,
      PRIMARY KEY (user_id, key)
    )`.execute(database)
  await sql`CREATE INDEX idempotent_calls_by_time ON idempotent_calls (begun_at)`.execute(database)
}
