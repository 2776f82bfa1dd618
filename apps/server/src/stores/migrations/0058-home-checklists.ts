import { sql, type Kysely } from 'kysely'

/** First steps of each user that are done, and whether the list of them is hidden. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE home_checklists (
      user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      done text[] NOT NULL,
      is_hidden boolean NOT NULL
    )`.execute(database)
}
