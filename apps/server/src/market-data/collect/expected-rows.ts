import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp, epochDayOf, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { barKnownAt, barStamps, calendarOf } from '@tradewright/engine/market/trading-calendar'

/** Economic observations have one granularity, whatever the run's is. */
export const storedGranularity = (symbol: string, granularity: Granularity): Granularity =>
  tickerKind(symbol) === 'economic' ? '1d' : granularity

/** The range without the bars that cannot be known yet. */
export function knowableRange(symbol: string, granularity: Granularity, range: TimeRange, now: UtcMillis): TimeRange {
  const calendar = calendarOf(tickerKind(symbol))
  if (!calendar) return { from: range.from, to: Math.min(range.to, dayStamp(epochDayOf(now) + 1)) }
  if (granularity !== '1d') return { from: range.from, to: Math.min(range.to, now) }
  let day = epochDayOf(now) - 1
  while (barKnownAt(calendar, dayStamp(day), '1d') <= now) day++
  return { from: range.from, to: Math.min(range.to, dayStamp(day)) }
}

/** Whether the calendar expects a row in the range: a weekend is no gap. */
export function expectsRows(symbol: string, granularity: Granularity, range: TimeRange): boolean {
  const calendar = calendarOf(tickerKind(symbol))
  if (!calendar) return true
  const { from, to } = range
  const sessions = calendar.sessionsBetween(epochDayOf(from), epochDayOf(to - 1) + 1)
  // Any five sessions in a row have a bar between them; only the days at both ends need a check.
  if (to - from > 15 * DAY) return sessions.length > 0
  return sessions
    .values()
    .some((day) => barStamps(calendar, day, granularity).some((stamp) => stamp >= from && stamp < to))
}
