import { epochDayOf, type UtcMillis, weekday } from '@tradewright/core/time'
import { calendarOf } from '../calendar/calendar-of.ts'
import { inferFrequency, publishedAt } from '../known-at.ts'
import type { SeriesTable } from '../series.ts'
import { nextPeriod } from './periods.ts'

/** How many finished sessions, or published periods, the series lacks at `now`. */
export function sessionsBehind({ timestamps, type }: SeriesTable, now: UtcMillis): number {
  const last = timestamps.at(-1)
  if (last === undefined) return 0
  const calendar = calendarOf(type)
  if (!calendar) return periodsBehind(timestamps, last, now)
  const finished = calendar.sessionsBetween(epochDayOf(last) + 1, epochDayOf(now) + 1)
  return finished.filter((day) => calendar.closeOf(day) <= now).length
}

function periodsBehind(timestamps: Float64Array, last: UtcMillis, now: UtcMillis): number {
  const frequency = inferFrequency(timestamps)
  let count = 0
  const isWeekend = (stamp: UtcMillis) => frequency === 'daily' && weekday(epochDayOf(stamp)) % 6 === 0
  for (
    let stamp = nextPeriod(last, frequency);
    publishedAt(stamp, frequency) <= now;
    stamp = nextPeriod(stamp, frequency)
  ) {
    if (!isWeekend(stamp)) count++
  }
  return count
}
