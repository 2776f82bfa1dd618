import { type Granularity, isIntraday } from '@tradewright/core/granularity'
import { dayStamp } from '@tradewright/core/time'
import type { TradingCalendar } from './calendar/trading-calendar.ts'
import { inferFrequency, PERIODS_A_YEAR } from './known-at.ts'

/** Fewer bars have no usual distance. */
const MIN_BARS = 3
/**
 * The fraction of the calendar's expected bars that must be there. With fewer the data have a rhythm of their own: bars
 * of four hours, coins on weekdays.
 */
const USUAL_SHARE = 0.75

/**
 * How many bars a year has: by the distance of the bars where they are weeks or months apart, else 252 on an exchange calendar and
 * 365 around the clock, times the bars of a session.
 * @param days the day of each bar
 */
export function periodsPerYear(calendar: TradingCalendar, granularity: Granularity, days: Int32Array): number {
  const usual = calendar.sessionsPerYear * calendar.barsPerSession(granularity)
  if (days.length < MIN_BARS) return usual
  if (isIntraday(granularity)) {
    const barsPerDay = days.length / new Set(days).size
    return barsPerDay < USUAL_SHARE * calendar.barsPerSession(granularity)
      ? calendar.sessionsPerYear * barsPerDay
      : usual
  }
  const frequency = inferFrequency(Float64Array.from(days, dayStamp))
  if (frequency !== 'daily') return PERIODS_A_YEAR[frequency]
  const share = (days.length - 1) / (days.at(-1)! - days[0]!)
  return calendar.id === 'crypto' && share < USUAL_SHARE ? PERIODS_A_YEAR.daily : usual
}
