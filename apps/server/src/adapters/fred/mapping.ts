import { fredSeriesId } from '@tradewright/core/ticker-kind'
import { dayStamp, parseDate, type UtcMillis } from '@tradewright/core/time'
import { type Frequency, publishedAt } from '@tradewright/engine/market/known-at'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { HttpFailure } from '../http/http-failure.ts'
import type { DatedValue } from './csv.ts'
import type { FredObservation } from './schema.ts'

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

function stampOf(date: string): UtcMillis {
  const day = parseDate(date)
  if (day === undefined) throw new HttpFailure('malformed', `it sent "${date.slice(0, 30)}" as a date`)
  return dayStamp(day)
}

/** Missing observations are a dot in the API and in old files, and empty in new ones. */
function valueOf(text: string): number {
  if (text === '.' || text === '') return Number.NaN
  const value = Number(text)
  if (!Number.isFinite(value)) throw new HttpFailure('malformed', `it sent "${text.slice(0, 30)}" as a value`)
  return value
}

/**
 * When each observation became public. What was in the oldest vintage of the answer was published some time before
 * FRED began to keep vintages, so the lag by frequency decides there, as it does when there are no vintages at all.
 */
export function publicationOf(
  releases: readonly FredObservation[],
  frequency: Frequency,
): (stamp: UtcMillis) => UtcMillis {
  const published = new Map(releases.map(({ date, realtime_start }) => [stampOf(date), stampOf(realtime_start)]))
  const archiveStart = Math.min(...published.values())
  return (stamp) => {
    const released = published.get(stamp)
    return released === undefined || released === archiveStart ? publishedAt(stamp, frequency) : released
  }
}
