import { actionCategories, barCategories, type Category, observationCategory } from '@tradewright/core/category'
import { type Granularity, granularityMillis, isIntraday } from '@tradewright/core/granularity'
import { isObservation } from '@tradewright/core/ticker-kind'
import {
  civilDate,
  DAY,
  dayStamp,
  type EpochDay,
  epochDayOf,
  toEpochDay,
  type UtcMillis,
  weekday,
} from '@tradewright/core/time'
import { barKnownAt, calendarOf, type TradingCalendar } from './trading-calendar.ts'
import type { SeriesTable } from './series.ts'

export type Frequency = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly'

/** Observations in a year; days are sessions. */
export const PERIODS_A_YEAR: Readonly<Record<Frequency, number>> = {
  daily: 252,
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  yearly: 1,
}

/**
 * Infers the frequency from the usual distance of observations: the median forgives a missing month. A lone one is
 * taken as slow.
 */
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

/** The first day after the period that follows the one of an observation. */
const AFTER_NEXT_PERIOD = {
  daily: (day) => nextBusinessDay(day) + 1,
  // Weeks begin on Monday.
  weekly: (day) => day - ((weekday(day) + 6) % 7) + 14,
  monthly: (day) => firstOfMonth(day, 2),
  quarterly: (day) => firstOfMonth(day, 6 - ((civilDate(day).month - 1) % 3)),
  yearly: (day) => toEpochDay(civilDate(day).year + 2, 1, 1),
} as const satisfies Record<Frequency, (day: EpochDay) => EpochDay>

function firstOfMonth(day: EpochDay, later: number): EpochDay {
  const { year, month } = civilDate(day)
  const months = year * 12 + month - 1 + later
  return toEpochDay(Math.floor(months / 12), (months % 12) + 1, 1)
}

/**
 * When values of unknown publication may be used: at the end of the period after theirs. Whether a date is the first
 * or the last day of its period is not known either, and this is late enough for both.
 */
export function endsOfNextPeriods(timestamps: Float64Array, granularity: Granularity): Float64Array {
  if (isIntraday(granularity)) return timestamps.map((stamp) => stamp + 2 * granularityMillis(granularity))
  const rule = AFTER_NEXT_PERIOD[inferFrequency(timestamps)]
  return timestamps.map((stamp) => dayStamp(rule(epochDayOf(stamp))))
}

const OF_PRICES: ReadonlySet<Category> = new Set(['price', 'adj_close', ...barCategories, ...actionCategories])

/** Values that stand under the name of something with prices, and are none: a survey, a score, a signal of the user's own. */
export const isValueSeries = ({ type, columns }: Pick<SeriesTable, 'type' | 'columns'>): boolean =>
  !isObservation(type) && Object.keys(columns).some((name) => !OF_PRICES.has(name)) && columns['close'] === undefined

/** The instant from which each row may be used: its publication, the close of its session, the end of its interval. */
export function knownAtOf(table: Omit<SeriesTable, 'sources'>): Float64Array {
  const { timestamps, columns, knownAt, type, granularity } = table
  if (isValueSeries(table)) {
    const ends = endsOfNextPeriods(timestamps, granularity)
    return knownAt ? knownAt.map((instant, row) => (Number.isNaN(instant) ? ends[row]! : instant)) : ends
  }
  const calendar = calendarOf(type)
  const byRule = calendar
    ? (stamp: number) => barKnownAt(calendar, stamp, granularity)
    : economicRule(inferFrequency(timestamps))
  // Prices are known at their close: values under the same name that were published later do not hold them back.
  const hasBoth = calendar !== undefined && columns['close'] !== undefined && columns[observationCategory] !== undefined
  if (!knownAt || hasBoth) return timestamps.map(byRule)
  return knownAt.map((instant, row) => (Number.isNaN(instant) ? byRule(timestamps[row]!) : instant))
}

const economicRule = (frequency: Frequency) => (stamp: number) => publishedAt(stamp, frequency)

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
