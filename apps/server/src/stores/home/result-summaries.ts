import type { BacktestResult } from '@tradewright/engine/backtest/result'
import type { Figure } from '@tradewright/engine/performance/figure'
import { sql } from 'kysely'
import type { ResultSummaryStore, StoredSummary } from '../../home/ports.ts'
import type { Database } from '../database.ts'

interface Row {
  id: number
  name: string
  strategy_name: string
  created_at: Date
  cagr: Figure
  sharpe: Figure
  max_drawdown: number
  synthetic: boolean
  start_value: number
  spliced: BacktestResult['spliced'] | null
  wiped_out: NonNullable<BacktestResult['wipedOut']> | null
  curve: StoredSummary['curve']
}

export function createResultSummaryStore(database: Database): ResultSummaryStore {
  return {
    async newest(userId, limit) {
      const rows = await database
        .selectFrom('backtests')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async bestBySharpe(userId, limit) {
      const bestOfEach = database
        .selectFrom('backtests')
        .distinctOn('strategy_name')
        .select(['id', 'sharpe'])
        .where('user_id', '=', userId)
        .where('is_saved', '=', true)
        .where('sharpe', 'is not', null)
        .orderBy('strategy_name')
        .orderBy('sharpe', 'desc')
        .orderBy('id', 'desc')
      const rows = await database
        .selectFrom(bestOfEach.as('best'))
        .select('id')
        .orderBy('sharpe', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async summaries(userId, ids) {
      // A report may have megabytes: only the parts that are shown leave the database.
      const { rows } = await sql<Row>`
        SELECT backtests.id, backtests.name, coalesce(strategies.name, backtests.strategy_name) AS strategy_name,
          backtests.created_at, backtests.max_drawdown, backtests.synthetic,
          result #> '{metrics,cagr}' AS cagr,
          result #> '{metrics,sharpe}' AS sharpe,
          (result #>> '{settings,startValue}')::float8 AS start_value,
          result -> 'wipedOut' AS wiped_out,
          result -> 'spliced' AS spliced,
          jsonb_build_object(
            'days', result #> '{curve,days}', 'values', result #> '{curve,values}',
            'nominalValues', result #> '{curve,nominalValues}', 'flows', result #> '{curve,flows}'
          ) AS curve
        FROM backtests
        LEFT JOIN strategies ON strategies.id = backtests.strategy_id
        CROSS JOIN LATERAL (SELECT backtests.report -> 'result' AS result OFFSET 0) AS stored
        WHERE backtests.user_id = ${userId} AND backtests.id = ANY (${[...ids]}::int[])`.execute(database)
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        strategyName: row.strategy_name,
        createdAt: row.created_at,
        cagr: row.cagr,
        sharpe: row.sharpe,
        maxDrawdown: row.max_drawdown,
        synthetic: row.synthetic,
        startValue: row.start_value,
        wipedOut: row.wiped_out,
        spliced: row.spliced ?? [],
        curve: row.curve,
      }))
    },
  }
}
