import { sql, type Kysely } from 'kysely'

/** Who operates the instance, how its processes are doing, and invitations that can be told apart. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE instance_operator (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      user_id integer NOT NULL
    )`.execute(database)
  await sql`INSERT INTO instance_operator (user_id) SELECT min(id) FROM users HAVING count(*) > 0`.execute(database)
  await sql`
    CREATE TABLE process_reports (
      id uuid PRIMARY KEY,
      reported_at timestamptz NOT NULL,
      report jsonb NOT NULL
    )`.execute(database)
  await sql`ALTER TABLE invitations ADD COLUMN id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid()`.execute(database)
}
