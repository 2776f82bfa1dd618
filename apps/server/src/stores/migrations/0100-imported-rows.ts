import { sql, type Kysely } from 'kysely'

/** Which row of an earlier instance became which row here, so that a second import brings nothing twice. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE imported_rows (
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      origin text NOT NULL,
      table_name text NOT NULL,
      old_id text NOT NULL,
      new_id text NOT NULL,
      PRIMARY KEY (user_id, origin, table_name, old_id)
    )`.execute(database)
}
