import { sql, type Kysely } from 'kysely'

/** Rows that a user deleted, as they were, for the minutes in which the deletion can be undone. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deleted_rows (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      key text NOT NULL,
      table_name text NOT NULL,
      content jsonb NOT NULL,
      deleted_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX deleted_rows_by_deletion ON deleted_rows (user_id, kind, key)`.execute(database)
  await sql`CREATE INDEX deleted_rows_by_time ON deleted_rows (deleted_at)`.execute(database)
}
