import { sql, type Kysely } from 'kysely'

/** The models of forward records of saved strategies, so that one is trained when it is due and not for each decision. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE forward_models (
      record_id integer NOT NULL REFERENCES forward_records ON DELETE CASCADE,
      window_number integer NOT NULL,
      sized_on_rows integer,
      decides_after timestamptz,
      bytes bytea NOT NULL,
      checksum text NOT NULL,
      next_at timestamptz,
      PRIMARY KEY (record_id, window_number)
    )`.execute(database)
}
