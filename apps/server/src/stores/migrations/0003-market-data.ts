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
  await sql`
    CREATE TABLE collection_jobs (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      is_system boolean NOT NULL,
      job_kind text NOT NULL CHECK (job_kind IN ('fetch', 'transform')),
      provider_id text,
      data_store_id integer NOT NULL REFERENCES data_stores,
      tickers text[] NOT NULL,
      data_granularity text NOT NULL,
      categories text[] NOT NULL,
      dates jsonb NOT NULL,
      schedule jsonb,
      additional_params jsonb NOT NULL,
      transform_config jsonb,
      depends_on_job_ids integer[] NOT NULL,
      next_run_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT fetching_from_somebody CHECK (job_kind <> 'fetch' OR provider_id IS NOT NULL)
    )`.execute(database)
  await sql`CREATE INDEX collection_jobs_by_user ON collection_jobs (user_id)`.execute(database)
  await sql`CREATE INDEX collection_jobs_due ON collection_jobs (next_run_at) WHERE next_run_at IS NOT NULL`.execute(
    database,
  )
  await sql`
    CREATE TABLE collection_runs (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      collection_job_id integer NOT NULL REFERENCES collection_jobs ON DELETE CASCADE,
      queue_job_id uuid NOT NULL UNIQUE,
      job_name text NOT NULL,
      provider text,
      store text NOT NULL,
      status text NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
      started_at timestamptz NOT NULL,
      completed_at timestamptz,
      records_fetched bigint NOT NULL,
      records_stored bigint NOT NULL,
      layer_counts jsonb NOT NULL,
      run_counts jsonb NOT NULL,
      message text,
      error_message text,
      CONSTRAINT completed_when_it_ended CHECK ((completed_at IS NULL) = (status = 'running'))
    )`.execute(database)
  await sql`CREATE INDEX collection_runs_by_user ON collection_runs (user_id, started_at DESC)`.execute(database)
  await sql`CREATE INDEX collection_runs_by_job ON collection_runs (collection_job_id, started_at DESC)`.execute(
    database,
  )
  await sql`
    CREATE TABLE saved_queries (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      description text NOT NULL,
      tickers text[] NOT NULL,
      categories text[] NOT NULL,
      providers text[] NOT NULL,
      start_date date,
      end_date date,
      is_default boolean NOT NULL,
      use_count integer NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX saved_queries_by_user ON saved_queries (user_id)`.execute(database)
}
