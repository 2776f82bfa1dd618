import { DAY, type EpochDay, HOUR, MINUTE, toEpochDay, type UtcMillis, weekday } from '@tradewright/core/time'

/** The given weekday of a month: the nth from its start (n = 1 is the first), or the last one for n = -1. */
export function nthWeekday(year: number, month: number, dayOfWeek: number, n: number): EpochDay {
  if (n > 0) {
    const first = toEpochDay(year, month, 1)
    return first + ((dayOfWeek - weekday(first) + 7) % 7) + 7 * (n - 1)
  }
  const last = month === 12 ? toEpochDay(year + 1, 1, 1) - 1 : toEpochDay(year, month + 1, 1) - 1
  return last - ((weekday(last) - dayOfWeek + 7) % 7)
}

const SUNDAY = 0

/** Half-open days of daylight saving time, by the Uniform Time Act and its changes of 1986 and 2005. */
export function daylightSavingDays(year: number): { from: EpochDay; to: EpochDay } {
  if (year >= 2007) return { from: nthWeekday(year, 3, SUNDAY, 2), to: nthWeekday(year, 11, SUNDAY, 1) }
  const from = year >= 1987 ? nthWeekday(year, 4, SUNDAY, 1) : nthWeekday(year, 4, SUNDAY, -1)
  return { from, to: nthWeekday(year, 10, SUNDAY, -1) }
}

/** Clocks change at 02:00 on a Sunday, so for hours in which anyone trades a whole day has one offset. */
export function newYorkInstant(day: EpochDay, minuteOfDay: number, isDaylightSaving: boolean): UtcMillis {
  return day * DAY + minuteOfDay * MINUTE + (isDaylightSaving ? 4 : 5) * HOUR
}
