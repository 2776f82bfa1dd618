import { lastAtOrBefore, lowerBound } from '@tradewright/core/column'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { DAY, epochDayOf, formatDate } from '@tradewright/core/time'
import { calendarOf, nyse } from '@tradewright/engine/market/trading-calendar'
import { isAvailable } from '@tradewright/engine/performance/figure'
import { periodsPerYear } from '@tradewright/engine/market/known-at'
import { simpleReturns } from '@tradewright/engine/performance/returns'
import { volatility } from '@tradewright/engine/performance/risk-adjusted-return'
import { amount, rounded } from './backtest-facts.ts'
import type { PriceSeries } from './price-series.ts'

const YEAR_DAYS = 365

/** The latest value of a series and how it came there. Changes are total returns, as fractions. */
export function priceFacts(series: PriceSeries) {
  const { ticker, timestamps, raw, isPrice, providers, synthetic } = series
  const last = timestamps.length - 1
  const lastYear = yearOf(series)
  const days = Int32Array.from(timestamps.subarray(timestamps.length - lastYear.length), epochDayOf)
  const perYear = periodsPerYear(calendarOf(tickerKind(ticker)) ?? nyse, '1d', days)
  const spread = isPrice ? volatility(simpleReturns(lastYear), perYear) : undefined
  return {
    ticker,
    date: formatDate(epochDayOf(timestamps[last]!)),
    value: amount(raw[last]!),
    change_1_day: isPrice && last > 0 ? change(series, last - 1) : null,
    change_1_month: changeSince(series, 30),
    change_3_months: changeSince(series, 91),
    change_1_year: changeSince(series, YEAR_DAYS),
    volatility_1_year: spread !== undefined && isAvailable(spread) ? rounded(spread) : null,
    below_1_year_high: isPrice ? rounded(lastYear.at(-1)! / Math.max(...lastYear) - 1) : null,
    providers,
    synthetic,
  }
}

export type PriceFacts = ReturnType<typeof priceFacts>

const yearOf = ({ timestamps, adjusted }: PriceSeries): Float64Array =>
  adjusted.subarray(lowerBound(timestamps, timestamps.at(-1)! - YEAR_DAYS * DAY))

const change = ({ adjusted }: PriceSeries, from: number): number => rounded(adjusted.at(-1)! / adjusted[from]! - 1)

/** Null where the series is younger, or no price. */
function changeSince(series: PriceSeries, days: number): number | null {
  const then = series.timestamps.at(-1)! - days * DAY
  const row = lastAtOrBefore(series.timestamps, then)
  return series.isPrice && row >= 0 ? change(series, row) : null
}
