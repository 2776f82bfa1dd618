import { Random } from '@tradewright/core/random'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { nyse } from '../../market/trading-calendar.ts'
import type { SeriesTable } from '../../market/series.ts'

/** A made-up series for tests: daily rows from 2018 on, with gaps in the calendar when `irregular`. */
export function randomSeries(ticker: string, seed: number, rows: number, irregular = false): SeriesTable {
  const random = new Random(seed)
  const from = dateOf('2018-01-02')
  const sessions = [...nyse.sessionsBetween(from, from + 4 * rows)]
  const days = (irregular ? sessions.filter(() => random.float() > 0.2) : sessions).slice(0, rows)
  const type = tickerKind(ticker)
  const close = new Float64Array(rows)
  let price = 100
  for (let i = 0; i < rows; i++) close[i] = price *= 1 + (random.float() - 0.5) / 20
  const spread = () => 1 + random.float() / 50
  const columns =
    type === 'economic' || ticker.includes('-')
      ? { value: close }
      : {
          open: close.map((value) => value * (1 + (random.float() - 0.5) / 50)),
          high: close.map((value) => value * 1.02 * spread()),
          low: close.map((value) => value / 1.02 / spread()),
          close,
          volume: close.map(() => Math.floor(1e6 * (0.5 + random.float()))),
        }
  return {
    ticker,
    type,
    granularity: '1d',
    currency: 'USD',
    timestamps: Float64Array.from(days, dayStamp),
    columns,
    sources: [],
  }
}
