import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await knownPlaces(database)
  await invitations(database)
}

/** Devices and networks from which an account was signed in to, as hashes. Strangers' failures do not stop them. */
async function knownPlaces(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE known_places (
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      place_hash bytea NOT NULL,
      last_used_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, place_hash)
    )`.execute(database)
  await sql`CREATE INDEX known_places_by_use ON known_places (last_used_at)`.execute(database)
}

/** Each makes one account, by a password or through Google. */
async function invitations(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE invitations (
      token_hash bytea PRIMARY KEY,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`ALTER TABLE google_flows ADD COLUMN invitation_hash bytea`.execute(database)
}
