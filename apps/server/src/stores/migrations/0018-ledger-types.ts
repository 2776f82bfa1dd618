import { sql, type Kysely } from 'kysely'

/** The types lie in the index: a page of some types of a large ledger is found without reading the entries between. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`DROP INDEX ledger_by_deployment`.execute(database)
  await sql`
    CREATE INDEX ledger_by_deployment ON ledger_entries (deployment_id, id DESC) INCLUDE (entry_type)
  `.execute(database)
}
