import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await emailStates(database)
  await sql`
    CREATE TABLE email_verifications (
      token_hash bytea PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      email text NOT NULL,
      email_key text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX email_verifications_by_user ON email_verifications (user_id)`.execute(database)
}

/**
 * `verified`: proven by mail or by Google, unique. `accepted`: not proven, but it signs in, because it did before addresses
 * were verified or because the server sends no mail. `unverified`: stored only.
 */
async function emailStates(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE users ADD COLUMN email_state text NOT NULL DEFAULT 'unverified'
    CHECK (email_state IN ('unverified', 'accepted', 'verified'))`.execute(database)
  await sql`
    UPDATE users SET email_state = 'verified' WHERE id IN (
      SELECT min(id) FROM users WHERE google_subject IS NOT NULL AND google_email = email GROUP BY email_key
    )`.execute(database)
  await sql`
    UPDATE users SET email_state = 'accepted'
    WHERE email_state = 'unverified' AND email_key <> '' AND (
      username_key = email_key OR NOT EXISTS (
        SELECT FROM users other
        WHERE other.id <> users.id AND users.email_key IN (other.email_key, other.username_key)
      )
    )`.execute(database)
  for (const state of ['accepted', 'verified']) {
    await sql`
      CREATE UNIQUE INDEX ${sql.id(`users_by_${state}_email`)} ON users (email_key)
      WHERE email_state = ${sql.lit(state)}`.execute(database)
  }
}
