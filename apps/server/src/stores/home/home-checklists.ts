import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { sql } from 'kysely'
import type { ChecklistStep, ChecklistStore } from '../../home/ports.ts'
import type { Database } from '../database.ts'

export function createChecklistStore(database: Database): ChecklistStore {
  return {
    async find(userId) {
      const row = await database
        .selectFrom('home_checklists')
        .select(['done', 'is_hidden'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { done: (row?.done ?? []) as ChecklistStep[], isHidden: row?.is_hidden ?? false }
    },

    async traces(userId) {
      const { rows } = await sql<Record<ChecklistStep, boolean>>`
        SELECT
          EXISTS (SELECT FROM backtests WHERE user_id = ${userId})
            OR EXISTS (SELECT FROM jobs WHERE user_id = ${userId} AND kind = 'backtest' AND state = 'completed')
            AS backtest,
          EXISTS (SELECT FROM strategies WHERE user_id = ${userId}) AS strategy,
          EXISTS (
            SELECT FROM collection_runs
            WHERE user_id = ${userId} AND status = 'completed' AND records_stored > 0
          ) OR EXISTS (
            SELECT FROM series_coverage JOIN data_stores ON data_stores.id = series_coverage.store_id
            WHERE data_stores.user_id = ${userId} AND series_coverage.provider <> ${SAMPLE_PROVIDER_ID}
          ) AS data,
          EXISTS (SELECT FROM brokerage_accounts WHERE user_id = ${userId}) AS account,
          EXISTS (SELECT FROM deployments WHERE user_id = ${userId} AND status = 'running') AS deployment`.execute(
        database,
      )
      const found = rows[0]!
      return (Object.keys(found) as ChecklistStep[]).filter((step) => found[step])
    },

    async addDone(userId, steps) {
      await sql`
        INSERT INTO home_checklists (user_id, done, is_hidden) VALUES (${userId}, ${[...steps]}::text[], false)
        ON CONFLICT (user_id) DO UPDATE SET done = ARRAY(
          SELECT DISTINCT step FROM unnest(home_checklists.done || excluded.done) AS step ORDER BY step
        )`.execute(database)
    },

    async setHidden(userId, isHidden) {
      await database
        .insertInto('home_checklists')
        .values({ user_id: userId, done: [], is_hidden: isHidden })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_hidden: isHidden }))
        .execute()
    },
  }
}
