import { runAccount } from '../backtest/account-run.ts'
import { decideBySignal, type SignalColumn } from '../backtest/signals.ts'
import { UNKNOWN_LABEL } from '../models/model.ts'
import { cagr, excessReturns, simpleReturns } from '../performance/returns.ts'
import { isAvailable } from '../performance/figure.ts'
import { isConstant, mean, sampleDeviation } from '../performance/statistics.ts'
import { type SearchData, conditionsOf } from './search-data.ts'

/** Fractions and a yearly ratio; null where there is no value. */
export interface Scores {
  readonly accuracy: number | null
  readonly f1: number | null
  readonly sharpe: number | null
  readonly cagr: number | null
}

/** An account that followed the signals. */
export interface TradedSignals {
  /** What one dollar has become at each bar that was traded. */
  readonly growth: Float64Array
  /** Per step between bars. */
  readonly returns: Float64Array
  /** The same over what was free of risk. */
  readonly excess: Float64Array
  readonly sharpePerBar: number | null
  readonly cagr: number | null
  /** The bars that were traded. */
  readonly bars: { readonly from: number; readonly to: number }
}

export function tradeSignals(searchData: SearchData, { signals }: SignalColumn): TradedSignals {
  const bars = {
    from: signals.findIndex((signal) => signal !== -1),
    to: signals.findLastIndex((one) => one !== -1) + 1,
  }
  const { growth, prices } = runAccount(conditionsOf(searchData), searchData.prices, bars, {
    decide: decideBySignal(signals.subarray(bars.from, bars.to), {
      1: searchData.weights.buy,
      0: searchData.weights.sell,
    }),
    fillTiming: searchData.settings.fillTiming,
    rebalance: true,
  })
  const returns = simpleReturns(growth)
  const excess = excessReturns(returns, searchData.riskFree?.subarray(bars.from, bars.to - 1) ?? 0)
  const yearly = cagr(growth.at(-1)!, prices.days.at(-1)! - prices.days[0]!)
  return {
    growth,
    returns,
    excess,
    sharpePerBar: sharpePerBarOf(excess),
    cagr: isAvailable(yearly) ? yearly : null,
    bars,
  }
}

/** Null for returns that do not vary. */
export const sharpePerBarOf = (returns: Float64Array): number | null =>
  isConstant(returns) ? null : mean(returns) / sampleDeviation(returns)

/** How good signals were, as far as their labels are known to the search. */
export function scoreSignals(
  searchData: SearchData,
  signals: SignalColumn,
  traded: TradedSignals | undefined,
  labels: Int8Array = searchData.searchLabels,
): Scores {
  return {
    ...scoreCalls([countCalls(searchData, signals, labels)]),
    sharpe: yearly(traded?.sharpePerBar ?? null, searchData.barsPerYear),
    cagr: traded?.cagr ?? null,
  }
}

interface CallCounts {
  readonly judged: number
  readonly right: number
  readonly hits: number
  readonly calls: number
  readonly events: number
}

/** Accuracy and F1 of all counts together. */
export function scoreCalls(counts: readonly CallCounts[]): Pick<Scores, 'accuracy' | 'f1'> {
  const sum = (field: keyof CallCounts) => counts.reduce((total, one) => total + one[field], 0)
  const judged = sum('judged')
  const either = sum('calls') + sum('events')
  return {
    accuracy: judged === 0 ? null : sum('right') / judged,
    f1: either === 0 ? null : (2 * sum('hits')) / either,
  }
}

export function countCalls({ usableRows }: SearchData, { signals }: SignalColumn, labels: Int8Array): CallCounts {
  let [judged, right, hits, calls, events] = [0, 0, 0, 0, 0]
  for (let row = 0; row < usableRows.length; row++) {
    const signal = signals[usableRows[row]!]!
    const label = labels[row]!
    if (signal === -1 || label === UNKNOWN_LABEL) continue
    judged++
    if (signal === label) right++
    if (signal === 1) calls++
    if (label === 1) events++
    if (signal === 1 && label === 1) hits++
  }
  return { judged, right, hits, calls, events }
}

export const yearly = (sharpePerBar: number | null, barsPerYear: number): number | null =>
  sharpePerBar === null ? null : sharpePerBar * Math.sqrt(barsPerYear)

export const fitnessMetrics = ['accuracy', 'sharpe', 'cagr'] as const
export type FitnessMetric = (typeof fitnessMetrics)[number]

export const fitnessModes = ['mean_only', 'mean_minus_variance', 'consistency_ratio'] as const
type FitnessMode = (typeof fitnessModes)[number]

export interface FitnessRules {
  readonly metric: FitnessMetric
  readonly mode: FitnessMode
  readonly variancePenalty: number
  readonly varianceExponent: number
}

/** Below this the windows count as equally good, so that a ratio cannot explode. */
const MIN_DEVIATION = 0.001

/** One number out of the metric's values over the test windows; without a single value there is nothing to praise. */
export function fitnessOf(values: readonly number[], rules: FitnessRules): number {
  if (values.length === 0) return 0
  const average = mean(values)
  const deviation = values.length < 2 ? 0 : sampleDeviation(values)
  if (rules.mode === 'mean_minus_variance') return average - rules.variancePenalty * deviation ** rules.varianceExponent
  if (rules.mode === 'consistency_ratio') return average / Math.max(deviation, MIN_DEVIATION)
  return average
}
