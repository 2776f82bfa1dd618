import { dateOf, dayStamp } from '@tradewright/core/time'
import { nyse } from '../../market/trading-calendar.ts'
import type { PriceTable } from '../price-table.ts'

/** A made-up table for tests: closes by ticker on NYSE sessions from a date on; opens equal closes unless given. */
export function tableOf(
  closes: Readonly<Record<string, readonly number[]>>,
  more: {
    from?: string
    opens?: Readonly<Record<string, readonly number[]>>
    dividends?: PriceTable['dividends']
  } = {},
): PriceTable {
  const tickers = Object.keys(closes)
  const bars = closes[tickers[0]!]!.length
  const from = dateOf(more.from ?? '2024-01-02')
  const days = nyse.sessionsBetween(from, from + 2 * bars + 20).slice(0, bars)
  return {
    tickers,
    days,
    timestamps: Float64Array.from(days, dayStamp),
    close: tickers.map((ticker) => Float64Array.from(closes[ticker]!)),
    open: tickers.map((ticker) => Float64Array.from(more.opens?.[ticker] ?? closes[ticker]!)),
    dividends: more.dividends ?? tickers.map(() => undefined),
  }
}
