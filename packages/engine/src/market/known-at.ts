import { DAY, dayStamp, type EpochDay, epochDayOf, type UtcMillis, weekday } from '@tradewright/core/time'
import { barKnownAt } from './calendar/bar-stamps.ts'
import { calendarOf } from './calendar/calendar-of.ts'
import type { SeriesTable } from './series.ts'

export type Frequency = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'

/** By the usual distance of observations: the median forgives a missing month. A lone one is taken as slow. */
export function inferFrequency(timestamps: Float64Array): Frequency {
  if (timestamps.length < 2) return 'quarterly'
  const steps = timestamps.slice(1).map((stamp, i) => (stamp - timestamps[i]!) / DAY)
  const median = steps.sort()[steps.length >>> 1]!
  if (median <= 4) return 'daily'
  if (median <= 16) return 'weekly'
  if (median <= 45) return 'monthly'
  return median <= 200 ? 'quarterly' : 'yearly'
}

const nextBusinessDay = (day: EpochDay): EpochDay => {
  const next = day + 1
  if (weekday(next) === 6) return next + 2
  return weekday(next) === 0 ? next + 1 : next
}

/**
 * The day from which an observation is taken as published, where no publication date is known. FRED stamps it with the
 * first day of the period it describes, so months wait 45 days from there. Quarters and years wait 90 days from their
 * end: counted from its first day, a quarter's figure would be known before the quarter is over.
 */
const PUBLICATION = {
  daily: nextBusinessDay,
  weekly: (day) => day + 7,
  monthly: (day) => day + 45,
  quarterly: (day) => day + 92 + 90,
  yearly: (day) => day + 366 + 90,
} as const satisfies Record<Frequency, (day: EpochDay) => EpochDay>

export const publishedAt = (stamp: UtcMillis, frequency: Frequency): UtcMillis =>
  dayStamp(PUBLICATION[frequency](epochDayOf(stamp)))

/** The instant from which each row may be used: its publication, the close of its session, the end of its interval. */
export function knownAtOf({
  timestamps,
  knownAt,
  type,
  granularity,
}: Omit<SeriesTable, 'columns' | 'sources'>): Float64Array {
  const calendar = calendarOf(type)
  const byRule = calendar
    ? (stamp: number) => barKnownAt(calendar, stamp, granularity)
    : economicRule(inferFrequency(timestamps))
  if (!knownAt) return timestamps.map(byRule)
  return knownAt.map((instant, row) => (Number.isNaN(instant) ? byRule(timestamps[row]!) : instant))
}

const economicRule = (frequency: Frequency) => (stamp: number) => publishedAt(stamp, frequency)
