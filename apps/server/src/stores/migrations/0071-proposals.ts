import { sql, type Kysely } from 'kysely'

/** Changes that agents and scripts propose, and that a user accepts or declines. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE proposals (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      content jsonb NOT NULL,
      description jsonb NOT NULL,
      reason text,
      origin text NOT NULL,
      key_id uuid NOT NULL,
      state text NOT NULL CHECK (state IN ('open', 'accepting', 'accepted', 'declined', 'failed')),
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      answered_at timestamptz,
      outcome text,
      link text
    )`.execute(database)
  await sql`CREATE INDEX proposals_by_user ON proposals (user_id, state)`.execute(database)
}
