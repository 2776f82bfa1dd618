import type { StrategyPerformance } from '../../strategies/strategy.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

/** The latest saved backtest of each strategy; those without a CAGR come last. */
export async function strategyPerformance(
  database: Database | DatabaseTransaction,
  userId: number,
): Promise<StrategyPerformance[]> {
  const latest = database
    .selectFrom('backtests')
    .innerJoin('strategies', 'strategies.id', 'backtests.strategy_id')
    .distinctOn('backtests.strategy_id')
    .select([
      'strategies.id as strategyId',
      'strategies.name as strategyName',
      'backtests.id as backtestId',
      'backtests.cagr',
      'backtests.sharpe',
      'backtests.total_return as totalReturn',
      'backtests.max_drawdown as maxDrawdown',
      'backtests.synthetic',
      'backtests.spliced',
    ])
    .where('strategies.user_id', '=', userId)
    .where('backtests.is_saved', '=', true)
    .orderBy('backtests.strategy_id')
    .orderBy('backtests.created_at', 'desc')
    .orderBy('backtests.id', 'desc')
  return database
    .selectFrom(latest.as('latest'))
    .selectAll()
    .orderBy('cagr', (order) => order.desc().nullsLast())
    .orderBy('strategyId')
    .execute()
}
