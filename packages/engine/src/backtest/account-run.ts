import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import { tradingCosts } from '../trading/costs.ts'
import { borrowingCosts } from '../trading/borrowing.ts'
import { maintenanceOf } from '../trading/margin.ts'
import { type PriceTable, sliceTable } from '../trading/price-table.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import { simulateFast } from '../trading/simulation.ts'
import type { SimulationColumns, SimulationResult, SimulationRules } from '../trading/simulation-rules.ts'
import { deflator } from './inflation.ts'
import { BORROWING_RATES, ratesAt } from './interest-rates.ts'
import type { SeriesLookup } from './market-data.ts'
import { type BacktestSettings, needsPriceIndex, stopOf } from './request.ts'
import type { SimulationTable } from './simulation-table.ts'

/** The conditions that every account of a run shares: the strategy's, its windows', the reference's. */
export interface RunConditions {
  readonly settings: BacktestSettings
  readonly table: SimulationTable
  /** Per bar of the whole table: dollars of the first day per dollar; undefined where inflation does not count. */
  readonly deflator: Column | undefined
  /** The same for cash flows that grow with prices in a run that is reported in dollars as they were. */
  readonly flowDeflator: Column | undefined
  /** Undefined where nothing is borrowed. */
  readonly borrowingCosts: Column | undefined
  /** The series that borrowing is charged by; undefined when only the spread is. */
  readonly borrowingRate: string | undefined
}

/** The part of the conditions that an account needs: plain data, so that any thread can run one. */
export interface AccountConditions extends Omit<RunConditions, 'table' | 'borrowingRate'> {
  readonly table: Pick<SimulationTable, 'prices' | 'barsPerYear' | 'sessionAfter'>
}

/** `borrows`: whether the strategy ever invests more than it has, so that interest rates matter. */
export function runConditions(
  lookUp: SeriesLookup,
  table: SimulationTable,
  settings: BacktestSettings,
  borrows: boolean,
): RunConditions {
  const rates = borrows ? ratesAt(lookUp, BORROWING_RATES, table.prices.timestamps) : undefined
  const prices = needsPriceIndex(settings) ? deflator(lookUp, table.prices.days) : undefined
  return {
    settings,
    table,
    deflator: settings.adjustInflation ? prices : undefined,
    flowDeflator: prices,
    borrowingCosts: rates && borrowingCosts(rates.pct, table.barsPerYear),
    borrowingRate: rates?.symbol,
  }
}

/** An account that ran from one bar of the table up to (and without) another. */
export interface AccountRun {
  readonly prices: PriceTable
  readonly result: SimulationResult
  /** In dollars of the run's first day where inflation is adjusted for, else as they were. */
  readonly values: Column
  readonly growth: Column
}

export interface AccountDecisions extends Pick<SimulationRules, 'decide' | 'decisionBars' | 'executed'> {
  readonly fillTiming: BacktestSettings['fillTiming']
  /** Rebalances by the calendar and the band of the settings; a reference of one ticker has nothing to rebalance. */
  readonly rebalance: boolean
  /** Bars of rebalances in place of the calendar's, counted as those of `decide`. */
  readonly rebalances?: Uint8Array
  /** Counted as those of `decide`. */
  readonly shortCharges?: Float64Array
  /** Held whatever happens: the stop of the settings does not count. */
  readonly withoutStop?: true
  /** Filled in with the account's values, to be used again once these have been read. */
  readonly columns?: SimulationColumns
}

interface BarRange {
  readonly from: number
  readonly to: number
}

/** The rules of an account over the bars [from, to); bars of `decide` are counted from `from`. */
export function accountRules(
  { settings, table, borrowingCosts: costs, flowDeflator }: AccountConditions,
  { from, to }: BarRange,
  { decide, decisionBars, fillTiming, rebalance, rebalances, executed, shortCharges, withoutStop }: AccountDecisions,
  tickers: readonly string[] = table.prices.tickers,
): SimulationRules {
  const days = table.prices.days.subarray(from, to)
  const sessionAfter = to < table.prices.days.length ? table.prices.days[to]! : table.sessionAfter
  const priceShares = flowDeflator?.subarray(from, to)
  const { shortBorrowPct, maintenanceMargin = 'off' } = settings
  const stop = withoutStop ? undefined : stopOf(settings)
  // An account that borrows neither money nor shares covers its positions by itself.
  const maintenance = costs && maintenanceOf(tickers, maintenanceMargin)
  return {
    startValue: settings.startValue,
    decide,
    fillTiming,
    costs: tradingCosts(settings.tradingCostBps + (settings.halfSpreadBps ?? 0), settings.commission),
    ...(costs ? { borrowingCosts: costs.subarray(from, to) } : {}),
    ...cashflows(
      settings,
      days,
      sessionAfter,
      priceShares?.map((share) => share / priceShares[0]!),
    ),
    ...(shortBorrowPct !== undefined && { shortCost: shortBorrowPct / 100 / table.barsPerYear }),
    ...(rebalance ? rebalanceRules(settings, days, sessionAfter) : {}),
    ...(rebalances && { rebalances }),
    ...(executed && { executed }),
    ...(decisionBars && { decisionBars }),
    ...(shortCharges && { shortCharges }),
    ...(maintenance && { maintenance }),
    ...(stop && { stop }),
  }
}

/** Runs an account over the bars [from, to) of these prices. */
export function runAccount(
  conditions: AccountConditions,
  prices: PriceTable,
  range: BarRange,
  decisions: AccountDecisions,
): AccountRun {
  const { from, to } = range
  const part = sliceTable(prices, from, to)
  const real = conditions.deflator?.subarray(from, to)
  const dollars = real?.map((share) => share / real[0]!)
  const result = simulateFast(part, accountRules(conditions, range, decisions, prices.tickers), decisions.columns)
  return {
    prices: part,
    result,
    values: dollars ? result.values.map((value, bar) => value * dollars[bar]!) : result.values,
    growth: dollars ? result.growth.map((value, bar) => value * dollars[bar]!) : result.growth,
  }
}

/** The costs of investing a deposit count against the account before it; what is worth less than they are has no return. */
export function unmeasurableFlow({ prices, result }: AccountRun): Problem | undefined {
  const bar = result.growth.findIndex((growth, at) => growth === 0 && result.values[at]! > 0)
  if (bar < 0) return undefined
  return new Problem(
    'invalid',
    'backtest.cashflow',
    `The cash flow of ${formatDate(prices.days[bar]!)} is so large beside the account that trading it costs more than the ` +
      'account was worth: there is no return to measure. Begin with more, choose a smaller cash flow or no trading costs.',
  )
}

function rebalanceRules(settings: BacktestSettings, days: Int32Array, sessionAfter: EpochDay) {
  const rebalances = periodEnds(days, settings.rebalanceFrequency, sessionAfter)
  return settings.rebalanceBandPct === undefined ? { rebalances } : { rebalances, bandPct: settings.rebalanceBandPct }
}

/** A flow in dollars of the start is more dollars later on. */
function cashflows(
  { cashflow, cashflowFrequency, cashflowKind }: BacktestSettings,
  days: Int32Array,
  sessionAfter: EpochDay,
  dollars: Column | undefined,
): Pick<SimulationRules, 'flows' | 'flowShares'> {
  if (cashflow === 0) return {}
  const ends = periodEnds(days, cashflowFrequency, sessionAfter)
  if (cashflowKind === 'percent') return { flowShares: Float64Array.from(ends, (end) => (end * cashflow) / 100) }
  return { flows: Float64Array.from(ends, (end, bar) => (end === 1 ? cashflow / (dollars?.[bar] ?? 1) : 0)) }
}
