import { sql, type Kysely } from 'kysely'

/** The admin page counts the failed jobs of a day: among the finished ones most are pieces of long work. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX failed_jobs ON jobs (finished_at) WHERE state = 'failed'`.execute(database)
}
