import { sql, type Kysely } from 'kysely'

/** Hash-chained records of decisions, written before their outcome is known. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE forward_records (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL UNIQUE REFERENCES deployments ON DELETE CASCADE,
      header text NOT NULL,
      is_open boolean NOT NULL,
      created_at timestamptz NOT NULL,
      token_hash bytea UNIQUE,
      link_expires_at timestamptz,
      CONSTRAINT link_is_whole CHECK ((token_hash IS NULL) = (link_expires_at IS NULL))
    )`.execute(database)
  await sql`
    CREATE TABLE forward_entries (
      record_id integer NOT NULL REFERENCES forward_records ON DELETE CASCADE,
      seq integer NOT NULL,
      content text NOT NULL,
      previous text NOT NULL,
      hash text NOT NULL,
      bar double precision,
      probability double precision,
      happened boolean,
      PRIMARY KEY (record_id, seq)
    )`.execute(database)
}
