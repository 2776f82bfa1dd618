import type { Column } from '@tradewright/core/column'
import { mean, sampleDeviation } from '../performance/statistics.ts'
import { simpleReturns } from '../performance/returns.ts'
import type { PriceTable } from '../trading/price-table.ts'
import type { SimulationResult } from '../trading/simulation-rules.ts'
import type { Trade } from '../trading/trade-log.ts'

export interface Contribution {
  /** What one dollar earned over the whole run: fractions that add up to the total return. */
  readonly toReturn: number
  /** Per year: fractions that add up to the volatility. */
  readonly toVolatility: number
}

export interface Contributions {
  /** Every ticker that was held, the largest contribution to return first. */
  readonly assets: readonly (Contribution & { readonly ticker: string })[]
  /** Trading costs, and interest on borrowed money: what the account earned besides its positions. */
  readonly rest: Contribution
  /** In dollars of their day, whether or not the run adjusts for inflation. */
  readonly total: Contribution
}

interface Account {
  readonly prices: PriceTable
  readonly result: SimulationResult
  readonly startValue: number
  /** Bars before everything was withdrawn. */
  readonly lived: number
  readonly barsPerYear: number
}

/**
 * What each position earned at each bar over the account's value before it, price changes and dividends, linked by what
 * one dollar had become by then: so the parts add up to the total return, which parts of plain returns do not. Its part
 * of the volatility is the covariance of that series with the account's returns over their deviation (Euler).
 */
export function contributions({ prices, result, startValue, lived, barsPerYear }: Account): Contributions {
  const growth = result.growth.subarray(0, lived)
  const returns = simpleReturns(growth)
  const deviation = returns.length < 2 ? 0 : sampleDeviation(returns)
  const yearly = Math.sqrt(barsPerYear)
  const byTicker = Map.groupBy(result.trades, ({ ticker }) => ticker)
  const before = (bar: number) => (bar === 0 ? startValue : result.values[bar - 1]!)
  const assets = [...byTicker].map(([ticker, trades]) => {
    const earned = earnedByBar(prices, prices.tickers.indexOf(ticker), trades, lived)
    const parts = earned.map((dollars, bar) => (before(bar) > 0 ? dollars / before(bar) : 0))
    return {
      ticker,
      toReturn: linked(parts, growth),
      toVolatility: deviation === 0 ? 0 : (covariance(parts.subarray(1), returns) / deviation) * yearly,
    }
  })
  const total = { toReturn: (growth.at(-1) ?? 1) - 1, toVolatility: deviation * yearly }
  return {
    assets: assets.toSorted((a, b) => b.toReturn - a.toReturn),
    rest: {
      toReturn: total.toReturn - sumOf(assets.map(({ toReturn }) => toReturn)),
      toVolatility: total.toVolatility - sumOf(assets.map(({ toVolatility }) => toVolatility)),
    },
    total,
  }
}

/** Dollars that the positions of one ticker earned at each bar, before costs. */
function earnedByBar(prices: PriceTable, column: number, trades: readonly Trade[], lived: number): Column {
  const close = prices.close[column]!
  const dividends = prices.dividends[column]
  const earned = new Float64Array(lived)
  let held = 0
  let next = 0
  for (let bar = 0; bar < lived; bar++) {
    if (held !== 0) earned[bar] = held * (close[bar]! - close[bar - 1]! + (dividends?.[bar] ?? 0))
    for (; next < trades.length && trades[next]!.bar === bar; next++) {
      const { quantity, price } = trades[next]!
      earned[bar]! += quantity * (close[bar]! - price)
      held += quantity
    }
  }
  return earned
}

/** Each bar's part of the return, on what one dollar had become before it. */
function linked(parts: Column, growth: Column): number {
  let sum = 0
  for (let bar = 0; bar < parts.length; bar++) sum += parts[bar]! * (bar === 0 ? 1 : growth[bar - 1]!)
  return sum
}

function covariance(a: Column, b: Column): number {
  const [aMean, bMean] = [mean(a), mean(b)]
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - aMean) * (b[i]! - bMean)
  return sum / (a.length - 1)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
