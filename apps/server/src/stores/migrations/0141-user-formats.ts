import { sql, type Kysely } from 'kysely'

/** Formats and time zone follow a user to every browser. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN formats jsonb`.execute(database)
}
