import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE optimization_data ADD COLUMN nested_choices jsonb NOT NULL DEFAULT '[]'`.execute(database)
}
