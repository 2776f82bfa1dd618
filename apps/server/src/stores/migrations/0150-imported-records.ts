import { sql, type Kysely } from 'kysely'

/** Entries of a forward record that an import brought: this instance did not see them written. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE forward_records ADD COLUMN imported_entries integer NOT NULL DEFAULT 0`.execute(database)
}
