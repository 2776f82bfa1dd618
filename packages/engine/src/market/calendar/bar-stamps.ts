import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { dayStamp, type EpochDay, type UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from './trading-calendar.ts'

interface SessionBars {
  readonly first: UtcMillis
  readonly step: number
  readonly count: number
}

/** A session's bars by their opening instants; the last one may be cut short by the close. Daily: the one stamp. */
export function sessionBars(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): SessionBars {
  const step = granularityMillis(granularity)
  if (granularity === '1d') return { first: dayStamp(day), step, count: 1 }
  const first = calendar.openOf(day)
  return { first, step, count: Math.ceil((calendar.closeOf(day) - first) / step) }
}

/** The opening instants of a session's bars. */
export function barStamps(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): Float64Array {
  const { first, step, count } = sessionBars(calendar, day, granularity)
  return Float64Array.from({ length: count }, (_, i) => first + i * step)
}

/** When a bar's close is known: the session's close for a daily bar, the end of its interval for an intraday one. */
export function barKnownAt(calendar: TradingCalendar, stamp: number, granularity: Granularity): number {
  if (granularity !== '1d') return stamp + granularityMillis(granularity)
  const day = stamp / dayStamp(1)
  // A row on a day that should be closed exists all the same; it is known when that day is over.
  return calendar.isSession(day) ? calendar.closeOf(day) : dayStamp(day + 1)
}
