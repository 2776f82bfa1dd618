import { type Kysely } from 'kysely'

/** Figures of a run show while it is under way, so what they stand on is known from the moment its prices are there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('optimization_runs').addColumn('synthetic', 'boolean').execute()
}
