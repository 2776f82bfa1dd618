import { sql, type Kysely } from 'kysely'

/** Set while a stopped deployment sells everything it holds; `decided_for` of the decision that does so. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN liquidating_since timestamptz`.execute(database)
}
