import { sql, type Kysely } from 'kysely'

/** What a store held at an earlier moment: its changes with their instants, and the records that they removed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE store_catalogues ADD COLUMN history_from_version bigint NOT NULL DEFAULT 0`.execute(database)
  // Nothing was kept of earlier changes, so the history begins here.
  await sql`UPDATE store_catalogues SET history_from_version = version`.execute(database)
  await sql`ALTER TABLE store_files ADD COLUMN is_history boolean NOT NULL DEFAULT false`.execute(database)
  await sql`
    CREATE INDEX store_files_history ON store_files (catalogue_id, retired_version) WHERE is_history
  `.execute(database)
  await sql`
    CREATE TABLE store_changes (
      catalogue_id integer NOT NULL REFERENCES store_catalogues ON DELETE CASCADE,
      version bigint NOT NULL,
      changed_at timestamptz NOT NULL,
      PRIMARY KEY (catalogue_id, version)
    )`.execute(database)
  await sql`CREATE INDEX store_changes_at ON store_changes (catalogue_id, changed_at)`.execute(database)
  await sql`
    INSERT INTO store_changes (catalogue_id, version, changed_at)
    SELECT id, version, now() FROM store_catalogues WHERE version > 0
  `.execute(database)
  await sql`
    CREATE TABLE store_removed_rows (
      catalogue_id integer NOT NULL REFERENCES store_catalogues ON DELETE CASCADE,
      version bigint NOT NULL,
      layer text NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (catalogue_id, version)
    )`.execute(database)
}
