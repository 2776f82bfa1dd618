import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE custom_providers (
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      provider_id text NOT NULL,
      definition jsonb NOT NULL,
      sealed_key bytea,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, provider_id)
    )`.execute(database)
}
