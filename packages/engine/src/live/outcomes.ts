import { learns } from '@tradewright/core/strategy-kinds'
import type { UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '../backtest/market-data.ts'
import type { BacktestPlan } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { DecisionRows, targetRows } from '../features/feature-matrix.ts'

/** Whether the target of a model came true after each of these bars; null where that is not known yet. */
export function outcomesAt(plan: BacktestPlan, data: MarketData, bars: readonly UtcMillis[]): (boolean | null)[] {
  const { strategy, settings } = plan
  if (!learns(strategy)) return bars.map(() => null)
  const seriesSet = new SeriesSet(data, settings)
  const { prices, decisionAt } = simulationTable(seriesSet, plan.tradedTickers, settings)
  const { labels } = targetRows(strategy.target, (ticker) => seriesSet.anchored(ticker), new DecisionRows(decisionAt))
  const rowOf = new Map(Array.from(prices.timestamps, (stamp, row) => [stamp, row]))
  return bars.map((bar) => {
    const label = labels[rowOf.get(bar) ?? -1]
    return label === 1 ? true : label === 0 ? false : null
  })
}
