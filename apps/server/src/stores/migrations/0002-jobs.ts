import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE jobs (
      id uuid PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL,
      subject text NOT NULL,
      singleton_key text,
      input jsonb NOT NULL,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
      progress jsonb,
      checkpoint jsonb,
      result jsonb,
      error jsonb,
      attempts integer NOT NULL,
      cancel_requested boolean NOT NULL,
      delivery_id uuid NOT NULL,
      claim_id uuid,
      worker_id text,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      updated_at timestamptz NOT NULL,
      finished_at timestamptz,
      CONSTRAINT finished_when_it_ended CHECK ((finished_at IS NULL) = (state IN ('queued', 'running'))),
      CONSTRAINT running_under_a_claim CHECK (state <> 'running' OR claim_id IS NOT NULL),
      CONSTRAINT failed_with_an_error CHECK ((state = 'failed') = (error IS NOT NULL))
    )`.execute(database)
  await sql`CREATE INDEX jobs_by_user ON jobs (user_id, created_at DESC)`.execute(database)
  await sql`
    CREATE UNIQUE INDEX unfinished_jobs_by_singleton_key ON jobs (user_id, kind, singleton_key)
    WHERE singleton_key IS NOT NULL AND state IN ('queued', 'running')`.execute(database)
  await sql`
    CREATE INDEX unfinished_jobs ON jobs (updated_at) WHERE state IN ('queued', 'running')`.execute(database)
  await sql`
    CREATE INDEX finished_jobs ON jobs (finished_at) WHERE finished_at IS NOT NULL`.execute(database)
}
