import type { Granularity } from '@tradewright/core/granularity'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import type { CheckFrequency } from '@tradewright/core/rules/tree'
import { sessionBars, type TradingCalendar } from '../market/trading-calendar.ts'
import { periodOf } from '../trading/rebalance-calendar.ts'

/**
 * The day of the bar after each bar, as the calendar has it. The bars that really follow are not asked: at the time of a
 * decision they are not known.
 */
export function followingDays(
  timestamps: Float64Array,
  calendar: TradingCalendar,
  granularity: Granularity,
): Int32Array {
  let [day, next, last] = [Number.NaN, 0, 0]
  return Int32Array.from(timestamps, (stamp) => {
    const own = epochDayOf(stamp)
    if (own !== day) {
      day = own
      next = calendar.nextSession(own)
      last = lastStamp(calendar, own, granularity)
    }
    return stamp >= last ? next : own
  })
}

function lastStamp(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): number {
  // A row on a day that should be closed exists all the same, and ends it.
  if (!calendar.isSession(day)) return Number.NEGATIVE_INFINITY
  const { first, step, count } = sessionBars(calendar, day, granularity)
  return first + (count - 1) * step
}

/** Whether a period ended since the day that the clock stands at, the following day of a bar being this. */
export const hasEnded = (frequency: CheckFrequency, clock: EpochDay, following: EpochDay): boolean =>
  frequency === 'bar' || periodOf(frequency, clock) !== periodOf(frequency, following)

/** 1 at the bars that have a check, by the clock of an evaluator that begins with the first bar. */
export function checkBars(frequency: CheckFrequency, days: Int32Array, following: Int32Array): Uint8Array {
  const checks = new Uint8Array(days.length)
  let clock = days[0]!
  for (let bar = 0; bar < days.length; bar++) {
    if (!hasEnded(frequency, clock, following[bar]!)) continue
    checks[bar] = 1
    clock = following[bar]!
  }
  return checks
}
