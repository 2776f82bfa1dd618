import { correlationOf } from '@tradewright/engine/features/formulas'
import { simpleReturns } from '@tradewright/engine/performance/returns'
import { rounded } from './backtest-facts.ts'
import type { PriceSeries } from './price-series.ts'

interface Correlation {
  readonly first: string
  readonly second: string
  /** Null where one of them did not move, or they share too few days. */
  readonly correlation: number | null
  readonly days: number
}

const MIN_DAYS = 20

/** Correlations of returns, each between days that both series have. */
export function correlationsOf(series: readonly PriceSeries[]): Correlation[] {
  return series.flatMap((first, index) => series.slice(index + 1).map((second) => correlation(first, second)))
}

function correlation(first: PriceSeries, second: PriceSeries): Correlation {
  const rowOf = new Map([...second.timestamps].map((stamp, row) => [stamp, row]))
  const shared = [...first.timestamps.keys()].filter((row) => rowOf.has(first.timestamps[row]!))
  const a = simpleReturns(shared.map((row) => first.adjusted[row]!))
  const b = simpleReturns(shared.map((row) => second.adjusted[rowOf.get(first.timestamps[row]!)!]!))
  const value = a.length < MIN_DAYS ? Number.NaN : correlationOf(a, b, 0, a.length)
  return {
    first: first.ticker,
    second: second.ticker,
    correlation: Number.isFinite(value) ? rounded(value) : null,
    days: a.length,
  }
}
