import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { dayStamp, type EpochDay } from '@tradewright/core/time'
import type { TradingCalendar } from './trading-calendar.ts'

/** The opening instants of a session's bars; the last one may be cut short by the close. Daily: the one stamp. */
export function barStamps(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): Float64Array {
  if (granularity === '1d') return Float64Array.of(dayStamp(day))
  const step = granularityMillis(granularity)
  const open = calendar.openOf(day)
  const count = Math.ceil((calendar.closeOf(day) - open) / step)
  return Float64Array.from({ length: count }, (_, i) => open + i * step)
}

/** When a bar's close is known: the session's close for a daily bar, the end of its interval for an intraday one. */
export function barKnownAt(calendar: TradingCalendar, stamp: number, granularity: Granularity): number {
  if (granularity !== '1d') return stamp + granularityMillis(granularity)
  const day = stamp / dayStamp(1)
  // A row on a day that should be closed exists all the same; it is known when that day is over.
  return calendar.isSession(day) ? calendar.closeOf(day) : dayStamp(day + 1)
}
