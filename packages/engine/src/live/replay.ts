import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import { type AccountOrders, runAccount, runConditions } from '../backtest/account-run.ts'
import { featureRows } from '../backtest/learnable-rows.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { type BacktestPlan, mostInvested } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { uncontrolled } from '../backtest/progress.ts'
import { decideBySignal, enterPredictions, noSignals } from '../backtest/signals.ts'
import { type SimulationTable, simulationTable } from '../backtest/simulation-table.ts'
import { targetWeights } from '../trading/allocation.ts'
import { type ModelVersion, versionAt } from './model-versions.ts'
import type { TradingSchedule } from './schedule.ts'
import { decidingBars, fillTimingOf } from './timing.ts'

export interface ReplayPoint {
  /** When the bar was known: its close. */
  readonly at: UtcMillis
  /** Growth of one dollar since the first point. */
  readonly growth: number
}

interface Replayed {
  /** The models that the deployment traded by, oldest first. */
  readonly models: readonly ModelVersion[]
  /** When it decides. */
  readonly schedule: TradingSchedule
  /** The day on which it was first valued. */
  readonly from: EpochDay
}

/**
 * The backtest of the days that a deployment lived, decided by the very models that it traded by, each on its own bars,
 * and filled when its schedule trades: invested on the day it was invested, not years before with weights that have
 * drifted since.
 */
export function replay(plan: BacktestPlan, data: MarketData, { models, schedule, from }: Replayed): ReplayPoint[] {
  const { settings, strategy } = plan
  const book = new SeriesSet(data, settings)
  const table = simulationTable(book, plan.tradedTickers, settings)
  const { days } = table.prices
  const first = days.findIndex((day) => day >= from)
  if (first < 0) return []
  const conditions = runConditions(book.lookUp, table, settings, mostInvested(plan) > 100)
  // A model that decides before a close knows the bar before; an allocation knows all it needs.
  const start = strategy.kind === 'ml' ? Math.max(0, first - 1) : first
  const orders = ordersOf(plan, book, table, { models, schedule }, start)
  const { growth } = runAccount(conditions, table.prices, { from: start, to: days.length }, orders)
  const base = growth[first - start]!
  return Array.from(table.decisionAt.subarray(first), (at, i) => ({ at, growth: growth[first - start + i]! / base }))
}

function ordersOf(
  { strategy, settings }: BacktestPlan,
  book: SeriesSet,
  { prices, decisionAt }: SimulationTable,
  { models, schedule }: Pick<Replayed, 'models' | 'schedule'>,
  start: number,
): AccountOrders {
  if (strategy.kind !== 'ml') {
    const weights = targetWeights(strategy.allocation, prices.tickers)
    return { decide: (bar) => (bar === 0 ? weights : undefined), fillTiming: 'same_close', rebalance: true }
  }
  if (models.length === 0) throw new Error('an ML strategy is replayed with its models')
  const { columns, usableRows } = featureRows(strategy, book, decisionAt, uncontrolled)
  const said = noSignals(decisionAt.length)
  const decides = decidingBars(schedule, decisionAt)
  const rows = usableRows.filter((row) => row >= start && decides[row] === 1)
  const byVersion = Map.groupBy(rows, (row) => versionAt(models, prices.timestamps[row]!)!)
  for (const [version, own] of byVersion) {
    const decided = Int32Array.from(own)
    enterPredictions(said, decided, version.load().predict(columns, decided))
  }
  const weights = {
    1: targetWeights(strategy.buy, prices.tickers),
    0: targetWeights(strategy.sell, prices.tickers),
  }
  return {
    decide: decideBySignal(said.signals.subarray(start), weights),
    fillTiming: fillTimingOf(schedule, settings.granularity),
    rebalance: true,
  }
}
