/** What trades pay for moving the price: rates by bar from volume and volatility, and the size at which they eat the edge. */
import type { Column } from '@tradewright/core/column'
import { parseTicker } from '@tradewright/core/ticker'
import { impactCost } from '../trading/costs.ts'
import type { PriceTable } from '../trading/price-table.ts'
import type { SimulationResult } from '../trading/simulation-rules.ts'
import type { SeriesLookup } from './market-data.ts'
import { gather, rowsAt } from './rows-on-bars.ts'

/** Bars before a trade whose volume and volatility count: about a month of days. */
const WINDOW_BARS = 20
/** Fewer known ones say nothing. */
const MIN_BARS = 5

/**
 * By bar: factor times the volatility of a bar over the root of the dollars that change hands in one, both from the bars
 * before it alone. NaN where there is no volume.
 */
export function impactRates(
  lookUp: SeriesLookup,
  ticker: string,
  close: Column,
  timestamps: Float64Array,
  factor: number,
): Column {
  const raw = lookUp(parseTicker(ticker).symbol)
  const rates = new Float64Array(timestamps.length).fill(Number.NaN)
  const { volume, close: traded } = raw?.columns ?? {}
  if (!raw || !volume || !traded) return rates
  const rows = rowsAt(raw.timestamps, timestamps)
  const [shares, prices] = [gather(volume, rows), gather(traded, rows)]
  for (let bar = 1; bar < rates.length; bar++) {
    let [dollars, days, squares, steps] = [0, 0, 0, 0]
    for (let before = Math.max(1, bar - WINDOW_BARS); before < bar; before++) {
      const value = shares[before]! * prices[before]!
      if (value > 0) {
        dollars += value
        days++
      }
      const step = Math.log(close[before]! / close[before - 1]!)
      if (Number.isFinite(step)) {
        squares += step * step
        steps++
      }
    }
    if (days < MIN_BARS || steps < MIN_BARS) continue
    rates[bar] = (factor * Math.sqrt(squares / steps)) / Math.sqrt(dollars / days)
  }
  firstKnownBackward(rates)
  return rates
}

/** A run that begins with its first price has no month before it: the first rate that is known counts from the start. */
function firstKnownBackward(rates: Column): void {
  const first = rates.findIndex((rate) => !Number.isNaN(rate))
  if (first > 0 && first <= 2 * WINDOW_BARS) rates.fill(rates[first]!, 0, first)
}

interface ImpactFigures {
  /** Dollars paid for moving prices. */
  readonly cost: number
  /** Fraction a year by which it slowed the account. */
  readonly dragPerYear: number
  /** The start value at which it would have used up what was earned beyond the yardstick; undefined: nothing was. */
  readonly capacity: number | undefined
}

/**
 * The same trades in an account k times as large pay the root of k times as much of their value (the square-root law), so
 * that the edge before impact is gone at k = (edge / drag)².
 */
export function impactFigures(
  { prices, result, growth }: { prices: PriceTable; result: SimulationResult; growth: Column },
  { startValue, years, yardstickGrowth }: { startValue: number; years: number; yardstickGrowth: number },
): ImpactFigures | undefined {
  const { impact, tickers } = prices
  if (!impact || years <= 0) return undefined
  let [cost, drag] = [0, 0]
  for (const { bar, ticker, quantity, price } of result.trades) {
    const paid = impactCost(impact[tickers.indexOf(ticker)]![bar]!, Math.abs(quantity) * price)
    const value = bar === 0 ? startValue : result.values[bar - 1]!
    cost += paid
    drag -= Math.log(Math.max(1e-12, 1 - paid / value))
  }
  const dragPerYear = drag / years
  const edge = Math.log((growth.at(-1) ?? 1) / yardstickGrowth) / years + dragPerYear
  const capacity = edge > 0 && dragPerYear > 0 ? startValue * (edge / dragPerYear) ** 2 : undefined
  return { cost, dragPerYear, capacity }
}
