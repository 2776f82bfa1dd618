import { sql, type Kysely } from 'kysely'

/** Who asked for the sale of everything, as the events of the sale name them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN liquidating_by jsonb`.execute(database)
}
