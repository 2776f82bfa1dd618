import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE optimization_runs (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      "order" jsonb NOT NULL,
      client_run_id text,
      candidates jsonb NOT NULL,
      job_id uuid,
      paused boolean NOT NULL,
      cancel_requested boolean NOT NULL,
      ended_as text CHECK (ended_as IN ('completed', 'failed', 'abandoned')),
      error text,
      outcome jsonb,
      created_at timestamptz NOT NULL,
      finished_at timestamptz
    )`.execute(database)
  await sql`CREATE INDEX optimization_runs_by_user ON optimization_runs (user_id, created_at DESC)`.execute(database)
  await sql`
    CREATE INDEX unfinished_runs_by_client_run_id ON optimization_runs (user_id, client_run_id)
    WHERE ended_as IS NULL AND client_run_id IS NOT NULL`.execute(database)
  await sql`
    CREATE TABLE optimization_generations (
      run_id integer NOT NULL REFERENCES optimization_runs ON DELETE CASCADE,
      number integer NOT NULL,
      members jsonb NOT NULL,
      blocks jsonb NOT NULL,
      diversity double precision NOT NULL,
      new_evaluations integer NOT NULL,
      best_fitness double precision NOT NULL,
      average_fitness double precision NOT NULL,
      seconds double precision NOT NULL,
      PRIMARY KEY (run_id, number)
    )`.execute(database)
  await sql`
    CREATE TABLE optimization_data (
      run_id integer PRIMARY KEY REFERENCES optimization_runs ON DELETE CASCADE,
      data bytea NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE ticker_lists (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      list_type text NOT NULL CHECK (list_type IN ('target', 'feature')),
      tickers text[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE UNIQUE INDEX one_ticker_list_per_name_and_type ON ticker_lists (user_id, list_type, lower(name))`.execute(
    database,
  )
}
