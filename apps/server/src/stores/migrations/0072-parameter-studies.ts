import { sql, type Kysely } from 'kysely'

/** Studies of the numbers of rule strategies: results are stored as they come, prices while a study is unfinished. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE parameter_studies (
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
  await sql`CREATE INDEX parameter_studies_by_user ON parameter_studies (user_id, created_at DESC)`.execute(database)
  await sql`
    CREATE TABLE parameter_study_results (
      study_id integer NOT NULL REFERENCES parameter_studies ON DELETE CASCADE,
      first integer NOT NULL,
      count integer NOT NULL,
      results jsonb NOT NULL,
      seconds double precision NOT NULL,
      PRIMARY KEY (study_id, first)
    )`.execute(database)
  await sql`
    CREATE TABLE parameter_study_data (
      study_id integer PRIMARY KEY REFERENCES parameter_studies ON DELETE CASCADE,
      data bytea NOT NULL
    )`.execute(database)
}
