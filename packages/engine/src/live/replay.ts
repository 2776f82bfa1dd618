import { isFixed } from '@tradewright/core/strategy-kinds'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import {
  type AccountDecisions,
  accountRules,
  type AccountRun,
  runAccount,
  runConditions,
} from '../backtest/account-run.ts'
import { decideByTargets } from '../backtest/external-backtest.ts'
import { featureRows } from '../backtest/learnable-rows.ts'
import type { MarketData } from '../backtest/market-data.ts'
import {
  type BacktestPlan,
  type ExternalPlan,
  type MlPlan,
  maxInvestedPct,
  type RulesPlan,
  shortTickers,
} from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { uncontrolled } from '../backtest/progress.ts'
import { decideBySignal, enterPredictions, noSignals, type SignalColumn } from '../backtest/signals.ts'
import { type SimulationTable, simulationTable } from '../backtest/simulation-table.ts'
import { nyse } from '../market/trading-calendar.ts'
import { rulesInputs } from '../rules/inputs.ts'
import { targetWeights } from '../trading/allocation.ts'
import { type PaperRun, runPaperAccount } from '../trading/paper-account/run-paper-account.ts'
import { sliceTable } from '../trading/price-table.ts'
import type { ModelVersion } from './model-versions.ts'
import { RulesFollower, rulesKey } from './rules-follower.ts'
import { nextRun, type TradingSchedule } from './schedule.ts'
import { decidingBars, fillTimingOf } from './timing.ts'

export interface ReplayPoint {
  /** When the bar was known: its close. */
  readonly at: UtcMillis
  /** Growth of one dollar since the first point. */
  readonly growth: number
}

export interface Replayed {
  /** The models that the deployment traded by, oldest first. */
  readonly models: readonly ModelVersion[]
  /** When the deployment decides. */
  readonly schedule: TradingSchedule
  /** The day on which it was first valued. */
  readonly from: EpochDay
}

/** The bars of a replay, and an account that may be run over them by any decisions. */
export interface ReplayStage {
  readonly plan: BacktestPlan
  readonly seriesSet: SeriesSet
  readonly table: SimulationTable
  /** The bar at which the account begins; bars of decisions are counted from it. */
  readonly start: number
  readonly account: (decisions: AccountDecisions) => AccountRun
  readonly run: (decisions: AccountDecisions) => ReplayPoint[]
  /** The same in a paper account, to the cent. */
  readonly paperAccount: (decisions: AccountDecisions) => PaperRun
}

/** The leverage limit of an account that borrows money or shares: more than any strategy may hold. */
const MARGIN_LIMIT = 20

/** Undefined where there is no bar of these days yet. */
export function replayStage(plan: BacktestPlan, data: MarketData, from: EpochDay): ReplayStage | undefined {
  const { settings, strategy } = plan
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, plan.tradedTickers, settings)
  const { days } = table.prices
  const first = days.findIndex((day) => day >= from)
  if (first < 0) return undefined
  const conditions = runConditions(seriesSet.lookUp, table, settings, maxInvestedPct(plan) > 100)
  // What decides before a close knows the bar before; an allocation knows all it needs.
  const start = isFixed(strategy) ? first : Math.max(0, first - 1)
  const range = { from: start, to: days.length }
  const account = (decisions: AccountDecisions) => runAccount(conditions, table.prices, range, decisions)
  const { calendar, decisionAt } = table
  const bars = {
    prices: sliceTable(table.prices, range.from, range.to),
    knownAt: decisionAt.subarray(range.from),
    calendar,
  }
  const paperAccount = (decisions: AccountDecisions) =>
    runPaperAccount(bars, {
      ...accountRules(conditions, range, decisions),
      leverageLimit: borrows(plan) ? MARGIN_LIMIT : 1,
    })
  const run = (decisions: AccountDecisions): ReplayPoint[] => {
    const { growth } = account(decisions)
    const base = growth[first - start]!
    return Array.from(table.decisionAt.subarray(first), (at, i) => ({ at, growth: growth[first - start + i]! / base }))
  }
  return { plan, seriesSet, table, start, account, run, paperAccount }
}

const borrows = (plan: BacktestPlan): boolean => maxInvestedPct(plan) > 100 || shortTickers(plan.strategy).length > 0

/** Fixed percentages are invested at the first close and rebalanced at closes. */
export function allocationDecisions({ plan: { strategy }, table: { prices } }: ReplayStage): AccountDecisions {
  if (!isFixed(strategy)) throw new Error('models and rules decide by themselves')
  const weights = targetWeights(strategy.allocation, prices.tickers)
  return { decide: (bar) => (bar === 0 ? weights : undefined), fillTiming: 'same_close', rebalance: true }
}

/** What the models say about the bars that the schedule decides by, each about its own. */
export function predictedSignals(
  { seriesSet, table: { prices, decisionAt }, start }: ReplayStage,
  strategy: MlPlan,
  schedule: TradingSchedule,
  versionOf: (bar: UtcMillis) => ModelVersion | undefined,
): SignalColumn {
  const { columns, usableRows } = featureRows(strategy, seriesSet, decisionAt, uncontrolled)
  const said = noSignals(decisionAt.length)
  const decides = decidingBars(schedule, decisionAt)
  const rows = usableRows.filter((row) => row >= start && decides[row] === 1)
  const byVersion = Map.groupBy(rows, (row) => versionOf(prices.timestamps[row]!))
  for (const [version, own] of byVersion) {
    if (!version) throw new Error('an ML strategy is replayed with its models')
    const decided = Int32Array.from(own)
    enterPredictions(said, decided, version.load().predict(columns, decided))
  }
  return said
}

/** Traded when the signal changes. */
export function signalDecisions(
  { plan: { settings }, table: { prices }, start }: ReplayStage,
  { buy, sell }: MlPlan,
  { signals }: SignalColumn,
  schedule: TradingSchedule,
): AccountDecisions {
  const weights = { 1: targetWeights(buy, prices.tickers), 0: targetWeights(sell, prices.tickers) }
  return {
    decide: decideBySignal(signals.subarray(start), weights),
    fillTiming: fillTimingOf(schedule, settings.granularity),
    rebalance: true,
  }
}

/** Traded when a run of the schedule knows of a signal with another target; `decides` leaves runs out. */
export function externalDecisions(
  { plan: { settings }, table: { prices, decisionAt }, start }: ReplayStage,
  plan: ExternalPlan,
  schedule: TradingSchedule,
  decides: (bar: number) => boolean,
): AccountDecisions {
  // A run decides by the bar before it, and knows the signals until itself.
  const runAt = (bar: number) => nextRun(schedule, decisionAt[bar]! - 1, nyse) ?? decisionAt[bar]!
  return {
    decide: decideByTargets(plan, prices.tickers, (own) => (decides(own + start) ? runAt(own + start) : undefined)),
    fillTiming: fillTimingOf(schedule, settings.granularity),
    rebalance: true,
  }
}

/** What rules want to hold after a bar. */
export interface WantedByRules {
  readonly weights: Float64Array
  /** The check that last wanted to trade; null before the first. */
  readonly trade: UtcMillis | null
}

/** What rules wanted to hold at each bar of the stage's table, followed from the start of the strategy's history. */
export function wantedByRules({ plan, seriesSet, table }: ReplayStage, strategy: RulesPlan): WantedByRules[] {
  const { settings } = plan
  const { timestamps } = table.prices
  const bars = { ...table, timestamps, granularity: settings.granularity }
  const inputs = rulesInputs(strategy.program, bars, (ticker) => seriesSet.anchored(ticker))
  const follower = new RulesFollower(rulesKey(strategy, settings), strategy.program, inputs, timestamps)
  return Array.from(timestamps, (_, bar) => {
    follower.follow(bar)
    return { weights: follower.weights, trade: follower.tradeBar }
  })
}

/** Invested at the first bar that decides, and traded at each later one that knows of a check that wants to trade. */
export function rulesDecisions(
  { plan: { settings }, start }: ReplayStage,
  wanted: readonly WantedByRules[],
  decides: (bar: number) => boolean,
  schedule: TradingSchedule,
): AccountDecisions {
  let traded: UtcMillis | null | undefined
  return {
    decide: (own) => {
      const bar = own + start
      const { weights, trade } = wanted[bar]!
      if (!decides(bar) || trade === traded) return undefined
      traded = trade
      return weights
    },
    fillTiming: fillTimingOf(schedule, settings.granularity),
    rebalance: false,
  }
}
