import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE data_stores ADD COLUMN unverified_reason text`.execute(database)
}
