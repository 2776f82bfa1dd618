import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { barKnownAt, calendarOf } from '@tradewright/engine/market/trading-calendar'

/** The first stamp whose bar is still forming; undefined for series without bars. */
export function unfinishedFrom(kind: TickerKind, granularity: Granularity, now: UtcMillis): UtcMillis | undefined {
  const calendar = calendarOf(kind)
  if (!calendar) return undefined
  if (granularity !== '1d') return now - granularityMillis(granularity) + 1
  // West of Greenwich yesterday's session may still be open, east of it tomorrow's may have begun.
  let day = epochDayOf(now) - 1
  while (barKnownAt(calendar, dayStamp(day), '1d') <= now) day++
  return dayStamp(day)
}
