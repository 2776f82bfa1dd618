import type { Granularity } from '@tradewright/core/granularity'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { barKnownAt, barStamps } from '../market/calendar/bar-stamps.ts'
import type { TradingCalendar } from '../market/calendar/trading-calendar.ts'

/** When so many bars after a given one are complete, if none is missing: later bars can only come later. */
export function barsKnownAt(
  calendar: TradingCalendar,
  granularity: Granularity,
  bar: UtcMillis,
  count: number,
): UtcMillis {
  let last = bar
  let left = count
  for (let day = epochDayOf(bar); left > 0; day = calendar.nextSession(day)) {
    if (!calendar.isSession(day)) continue
    for (const stamp of barStamps(calendar, day, granularity)) {
      if (left === 0 || stamp <= bar) continue
      last = stamp
      left--
    }
  }
  return barKnownAt(calendar, last, granularity)
}
