import { type Kysely, sql } from 'kysely'

/** What was odd about the data that a deployment's model learned from. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('deployment_models')
    .addColumn('data_notes', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'::jsonb`))
    .execute()
  await database.schema
    .alterTable('deployment_models')
    .alterColumn('data_notes', (column) => column.dropDefault())
    .execute()
}
