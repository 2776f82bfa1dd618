import { Problem } from '@tradewright/core/problem'
import { DAY, dateOf, dayStamp, epochDayOf, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { JobDates } from './collection-job.ts'

const DEFAULT_START = '2020-01-01'
const DEFAULT_START_OFFSET_DAYS = 30

/** The days a run collects, both ends included. Offsets are days back from the UTC day of the run. */
export function rangeOfRun(dates: JobDates, now: UtcMillis): TimeRange {
  const today = epochDayOf(now)
  const first = dates.isDynamic
    ? today - (dates.startOffsetDays ?? DEFAULT_START_OFFSET_DAYS)
    : dateOf(dates.startDate ?? DEFAULT_START)
  const last = dates.isDynamic ? today - (dates.endOffsetDays ?? 0) : dates.endDate ? dateOf(dates.endDate) : today
  if (last < first) throw new Problem('invalid', 'collection.dates', 'The end date is before the start date.')
  return { from: dayStamp(first), to: dayStamp(last) + DAY }
}
