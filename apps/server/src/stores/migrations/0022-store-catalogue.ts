import { sql, type Kysely } from 'kysely'

/** Which data files make up a store, and since when: what was a log of JSON files beside them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // A store that is made later has no log to take over, and no log is read for it.
  await sql`ALTER TABLE data_stores ADD COLUMN may_have_log boolean NOT NULL DEFAULT false`.execute(database)
  await sql`UPDATE data_stores SET may_have_log = true WHERE store_type <> 'postgresql'`.execute(database)
  await sql`
    CREATE TABLE store_catalogues (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
      store_id integer NOT NULL REFERENCES data_stores ON DELETE CASCADE,
      location text NOT NULL,
      is_local boolean NOT NULL,
      version bigint NOT NULL,
      purged_version bigint NOT NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (store_id, location)
    )`.execute(database)
  await sql`
    CREATE TABLE store_files (
      catalogue_id integer NOT NULL REFERENCES store_catalogues ON DELETE CASCADE,
      path text NOT NULL,
      layer text NOT NULL,
      partition text NOT NULL,
      rows bigint NOT NULL,
      bytes bigint NOT NULL,
      checksum text NOT NULL,
      segments text NOT NULL,
      added_version bigint NOT NULL,
      added_at timestamptz NOT NULL,
      retired_version bigint,
      retired_at timestamptz,
      PRIMARY KEY (catalogue_id, path)
    )`.execute(database)
  await sql`CREATE INDEX store_files_added ON store_files (catalogue_id, added_version)`.execute(database)
  await sql`
    CREATE INDEX store_files_retired ON store_files (catalogue_id, retired_version) WHERE retired_version IS NOT NULL
  `.execute(database)
  await sql`
    CREATE TABLE store_pending_files (
      catalogue_id integer NOT NULL REFERENCES store_catalogues ON DELETE CASCADE,
      path text NOT NULL,
      announced_at timestamptz NOT NULL,
      PRIMARY KEY (catalogue_id, path)
    )`.execute(database)
}
