import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      username text NOT NULL,
      username_key text NOT NULL UNIQUE,
      email text NOT NULL,
      email_key text NOT NULL,
      password_hash text,
      password_enabled boolean NOT NULL,
      google_subject text UNIQUE,
      google_email text,
      created_at timestamptz NOT NULL,
      CONSTRAINT password_sign_in_has_a_password CHECK (NOT password_enabled OR password_hash IS NOT NULL),
      CONSTRAINT a_way_to_sign_in CHECK (google_subject IS NOT NULL OR password_enabled)
    )`.execute(database)
  await sql`CREATE INDEX users_by_email ON users (email_key)`.execute(database)
  await sql`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      cookie_hash bytea NOT NULL UNIQUE,
      bearer_hash bytea NOT NULL UNIQUE,
      user_agent text NOT NULL,
      address text NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX sessions_by_user ON sessions (user_id)`.execute(database)
  await sql`CREATE INDEX sessions_by_expiry ON sessions (expires_at)`.execute(database)
  await sql`
    CREATE TABLE google_flows (
      state_hash bytea PRIMARY KEY,
      browser_hash bytea NOT NULL,
      nonce text NOT NULL,
      code_verifier text NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('login', 'link')),
      user_id integer REFERENCES users ON DELETE CASCADE,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE attempt_counters (
      subject text PRIMARY KEY,
      attempts integer NOT NULL,
      window_ends_at timestamptz NOT NULL
    )`.execute(database)
}
