import { sql, type Kysely } from 'kysely'

/** Rules as the third type of strategies. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE strategies
      DROP CONSTRAINT strategies_strategy_type_check,
      ADD CONSTRAINT strategies_strategy_type_check CHECK (strategy_type IN ('Asset Allocation', 'ML', 'Rules'))`.execute(
    database,
  )
}
