import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE data_stores (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      store_type text NOT NULL CHECK (store_type IN ('local', 's3', 'gcs', 'azure', 'postgresql', 'mongodb')),
      is_system boolean NOT NULL,
      is_default boolean NOT NULL,
      default_format text NOT NULL,
      partition_strategy text NOT NULL,
      compression text NOT NULL,
      connection_config jsonb NOT NULL,
      sealed_secrets bytea,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE UNIQUE INDEX one_system_store ON data_stores (user_id) WHERE is_system`.execute(database)
  await sql`CREATE UNIQUE INDEX one_default_store ON data_stores (user_id) WHERE is_default`.execute(database)
  await sql`CREATE INDEX data_stores_by_user ON data_stores (user_id)`.execute(database)
  await sql`
    CREATE TABLE series_coverage (
      store_id integer NOT NULL REFERENCES data_stores ON DELETE CASCADE,
      provider text NOT NULL,
      ticker text NOT NULL,
      granularity text NOT NULL,
      covered int8multirange NOT NULL,
      PRIMARY KEY (store_id, ticker, granularity, provider)
    )`.execute(database)
}
