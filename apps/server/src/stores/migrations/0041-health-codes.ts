import { sql, type Kysely } from 'kysely'

/** Problems of the account are over when broker and books agree: told apart by a code, until now by their first words. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deployments ADD COLUMN health_code text`.execute(database)
  await sql`
    UPDATE deployments SET health_code = CASE
      WHEN health_problem LIKE 'Broker and books disagree%' THEN 'deployment.disagreement'
      WHEN health_problem LIKE 'The brokerage account cannot be used%' THEN 'account.unusable'
      ELSE 'unknown' END
    WHERE health_problem IS NOT NULL`.execute(database)
}
