import { sql, type Kysely } from 'kysely'

/**
 * A user who leaves takes deployments and ledger along, but by ways of different length: the deployments go first. So
 * that a ledger entry has its deployment is checked when all of it is gone; a deployment alone still cannot go.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE ledger_entries
    ALTER CONSTRAINT ledger_entries_deployment_id_fkey DEFERRABLE INITIALLY DEFERRED`.execute(database)
}
