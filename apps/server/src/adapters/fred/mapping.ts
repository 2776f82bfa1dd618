import { fredSeriesId } from '@tradewright/core/ticker-kind'
import { dayStamp, parseDate, type UtcMillis } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { HttpFailure } from '../http/http-failure.ts'
import type { DatedValue } from './csv.ts'

export const toBronze = (ticker: string, observations: readonly DatedValue[], collectedAt: UtcMillis): SeriesBlock => ({
  ticker: fredSeriesId(ticker),
  granularity: '1d',
  provider: 'fred',
  type: 'economic',
  currency: 'USD',
  collectedAt,
  timestamps: Float64Array.from(observations, ({ date }) => stampOf(date)),
  columns: { value: Float64Array.from(observations, ({ value }) => valueOf(value)) },
})

export function stampOf(date: string): UtcMillis {
  const day = parseDate(date)
  if (day === undefined) throw new HttpFailure('malformed', `it sent "${date.slice(0, 30)}" as a date`)
  return dayStamp(day)
}

/** Missing observations are a dot in the API and in old files, and empty in new ones. */
export function valueOf(text: string): number {
  if (text === '.' || text === '') return Number.NaN
  const value = Number(text)
  if (!Number.isFinite(value)) throw new HttpFailure('malformed', `it sent "${text.slice(0, 30)}" as a value`)
  return value
}
