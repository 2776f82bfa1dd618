import { sql, type Kysely } from 'kysely'

/** Files of factor returns that users regress results on. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE factor_files (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      content jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX factor_files_by_user ON factor_files (user_id, created_at DESC)`.execute(database)
}
