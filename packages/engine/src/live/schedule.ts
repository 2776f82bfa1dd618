import { civilDate, DAY, type EpochDay, epochDayOf, MINUTE, type UtcMillis, weekday } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant, type TradingCalendar } from '../market/trading-calendar.ts'

type TradingFrequency =
  | { readonly type: 'end_of_day'; readonly minutesBeforeClose: number }
  | { readonly type: 'continuous'; readonly everyMinutes: number }

export interface TradingSchedule {
  readonly frequency: TradingFrequency
  /** Days of the week on which it may run, 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>
  /** Also when the exchange is closed, for coins. */
  readonly aroundTheClock: boolean
}

/** Every schedule with at least one day recurs within a year; one without days would never run. */
const MAX_WAIT_DAYS = 370

/**
 * The first instant after `after` at which a deployment decides. By the exchange's own sessions: half days end early,
 * holidays are passed over, and clocks change where New York changes them.
 */
export function nextRun(schedule: TradingSchedule, after: UtcMillis, calendar: TradingCalendar): UtcMillis | undefined {
  const first = epochDayOf(after) - 1
  for (let day = first; day < first + MAX_WAIT_DAYS; day++) {
    const next = runsOf(schedule, day, calendar).find((instant) => instant > after)
    if (next !== undefined) return next
  }
  return undefined
}

/** The time until which a missed run, or a further try of one, may be made up: later, its moment has passed. */
export function runsOutAt(schedule: TradingSchedule, scheduledFor: UtcMillis, calendar: TradingCalendar): UtcMillis {
  if (schedule.frequency.type === 'end_of_day') {
    const length = schedule.frequency.minutesBeforeClose * MINUTE
    const begun = runsOf(schedule, epochDayOf(scheduledFor), calendar).find(
      (run) => run <= scheduledFor && scheduledFor < run + length,
    )
    return (begun ?? scheduledFor) + length
  }
  return nextRun(schedule, scheduledFor, calendar) ?? scheduledFor + schedule.frequency.everyMinutes * MINUTE
}

/** All runs of one session date, ascending. */
function runsOf(schedule: TradingSchedule, day: EpochDay, calendar: TradingCalendar): readonly UtcMillis[] {
  const { frequency, weekdays, aroundTheClock } = schedule
  if (!weekdays.has(weekday(day))) return []
  if (!calendar.isSession(day) && !aroundTheClock) return []
  if (frequency.type === 'end_of_day') {
    const close = calendar.isSession(day) ? calendar.closeOf(day) : newYorkAfternoon(day)
    return [close - frequency.minutesBeforeClose * MINUTE]
  }
  const step = frequency.everyMinutes * MINUTE
  const [from, to] = aroundTheClock ? [day * DAY, (day + 1) * DAY] : [calendar.openOf(day), calendar.closeOf(day)]
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step)
}

/** When the exchange would have closed. */
function newYorkAfternoon(day: EpochDay): UtcMillis {
  const { from, to } = daylightSavingDays(civilDate(day).year)
  return newYorkInstant(day, 16 * 60, day >= from && day < to)
}
