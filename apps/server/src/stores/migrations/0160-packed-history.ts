import { sql, type Kysely } from 'kysely'

/** A packed row of removed records may be of many changes. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE store_removed_rows ADD COLUMN first_version bigint`.execute(database)
  await sql`UPDATE store_removed_rows SET first_version = version`.execute(database)
  await sql`ALTER TABLE store_removed_rows ALTER COLUMN first_version SET NOT NULL`.execute(database)
  // How many records an older row holds is found when it is packed with others.
  await sql`ALTER TABLE store_removed_rows ADD COLUMN records integer NOT NULL DEFAULT 0`.execute(database)
  // They are deflated already.
  await sql`ALTER TABLE store_removed_rows ALTER COLUMN data SET STORAGE EXTERNAL`.execute(database)
  // Many changes share one row: the others are packed in the row of the last, which tells when the first was.
  await sql`
    ALTER TABLE store_changes ADD COLUMN first_at timestamptz, ADD COLUMN earlier bytea,
      ALTER COLUMN earlier SET STORAGE EXTERNAL`.execute(database)
  // They are in the order of their instants: the primary key finds one.
  await sql`DROP INDEX store_changes_at`.execute(database)
}
