import { sql, type Kysely } from 'kysely'

/** Weights found by several methods, with how they did on days that they did not know. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE portfolio_constructions (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      "order" jsonb NOT NULL,
      job_id uuid,
      ended_as text CHECK (ended_as IN ('completed', 'failed')),
      error text,
      outcome jsonb,
      created_at timestamptz NOT NULL,
      finished_at timestamptz
    )`.execute(database)
  await sql`
    CREATE INDEX portfolio_constructions_by_user ON portfolio_constructions (user_id, created_at DESC)`.execute(
    database,
  )
}
