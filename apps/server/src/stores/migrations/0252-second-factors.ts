import { sql, type Kysely } from 'kysely'

/** Authenticator apps and passkeys beside the password, recovery codes, and questions that are being answered. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE second_factors (
      id uuid PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz,
      sealed_secret bytea,
      last_step bigint,
      credential_id text UNIQUE,
      public_key bytea,
      sign_count bigint,
      transports text[],
      domain text,
      CHECK ((kind = 'totp') = (sealed_secret IS NOT NULL)),
      CHECK ((kind = 'passkey') = (credential_id IS NOT NULL AND public_key IS NOT NULL AND sign_count IS NOT NULL
        AND transports IS NOT NULL AND domain IS NOT NULL))
    )`.execute(database)
  await sql`CREATE INDEX second_factors_by_user ON second_factors (user_id)`.execute(database)
  await sql`
    CREATE TABLE recovery_codes (
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      used_at timestamptz,
      PRIMARY KEY (user_id, code_hash)
    )`.execute(database)
  await sql`
    CREATE TABLE factor_challenges (
      key_hash bytea PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      challenge text,
      password_hash text,
      return_path text,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX factor_challenges_by_end ON factor_challenges (expires_at)`.execute(database)
  await sql`ALTER TABLE sessions ADD COLUMN factor_at timestamptz`.execute(database)
}
