import { mayBeRowId } from '@tradewright/core/row-id'
import { isAvailable, type Figure } from '@tradewright/engine/performance/figure'
import type { BacktestStore } from '../backtests/ports.ts'
import type { StoredReport } from '../backtests/report.ts'
import type { SavedBacktestItem } from '../backtests/saved-backtest.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'
import type { Database, DatabaseTransaction } from './database.ts'

export function createBacktestStore(database: Database | DatabaseTransaction): BacktestStore {
  const items = (userId: number) =>
    database
      .selectFrom('backtests')
      .leftJoin('strategies', 'strategies.id', 'backtests.strategy_id')
      .select((row) => [
        'backtests.id',
        'backtests.name',
        'backtests.strategy_id as strategyId',
        row.fn.coalesce('strategies.name', 'backtests.strategy_name').as('strategyName'),
        'backtests.created_at as createdAt',
      ])
      .where('backtests.user_id', '=', userId)
      .orderBy('backtests.created_at', 'desc')
      .orderBy('backtests.id', 'desc')
  return {
    list: (userId): Promise<SavedBacktestItem[]> => items(userId).execute(),
    listOfStrategy: async (userId, strategyId) =>
      mayBeRowId(strategyId) ? items(userId).where('backtests.strategy_id', '=', strategyId).execute() : [],

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await items(userId)
        .select(['backtests.config', 'backtests.report'])
        .where('backtests.id', '=', id)
        .executeTakeFirst()
      return row && { ...row, config: row.config as StrategyConfig, report: row.report as StoredReport }
    },

    async save(userId, { name, strategyId, strategyName, config, report, runId, createdAt }) {
      const { metrics, synthetic } = report.result
      const inserted = await database
        .insertInto('backtests')
        .values({
          user_id: userId,
          strategy_id: strategyId,
          strategy_name: strategyName,
          name,
          config: JSON.stringify(config),
          report: JSON.stringify(report),
          cagr: numberOrNull(metrics.cagr),
          sharpe: numberOrNull(metrics.sharpe),
          total_return: metrics.totalReturn,
          max_drawdown: metrics.maxDrawdown.depth,
          synthetic,
          run_id: runId,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.column('run_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted) return inserted.id
      const earlier = database.selectFrom('backtests').select('id').where('run_id', '=', runId)
      return (await earlier.executeTakeFirstOrThrow()).id
    },

    async remove(userId, id) {
      if (!mayBeRowId(id)) return false
      const { numDeletedRows } = await database
        .deleteFrom('backtests')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

const numberOrNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)
