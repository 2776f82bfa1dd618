import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import {
  type EpochDay,
  type UtcMillis,
  MINUTE,
  toEpochDay,
  dateOf,
  weekday,
  DAY,
  formatDate,
  dayStamp,
  HOUR,
} from '@tradewright/core/time'
import type { TickerKind } from '@tradewright/core/ticker-kind'

/** When a market trades. Days are session dates of the market, instants are UTC. */
export interface TradingCalendar {
  readonly id: 'nyse' | 'crypto'
  /** For annualising: sessions in a usual year. */
  readonly sessionsPerYear: number
  isSession(day: EpochDay): boolean
  /** Both throw a RangeError for a day that is no session. */
  openOf(day: EpochDay): UtcMillis
  closeOf(day: EpochDay): UtcMillis
  /** Strictly after the given day. */
  nextSession(day: EpochDay): EpochDay
  /** Strictly before the given day. */
  previousSession(day: EpochDay): EpochDay
  /** Half-open, ascending. */
  sessionsBetween(from: EpochDay, to: EpochDay): Int32Array
  /** How many bars a usual, full session has. */
  barsPerSession(granularity: Granularity): number
}

const AROUND_THE_CLOCK: ReadonlySet<TickerKind> = new Set<TickerKind>([
  'crypto',
  'funding_rate',
  'open_interest',
  'long_short_ratio',
  'liquidations',
])

/**
 * The sessions a ticker is expected to have rows for. Economic series have a frequency instead, and cash follows
 * whatever it is held beside.
 */
export function calendarOf(kind: TickerKind): TradingCalendar | undefined {
  if (AROUND_THE_CLOCK.has(kind)) return crypto
  return kind === 'economic' || kind === 'cash' || kind === 'treasury_bill' ? undefined : nyse
}

/** No exchange has stayed closed longer than a week since 1933. */
const MAX_CLOSURE_DAYS = 30

function sessionsFrom(isSession: (day: EpochDay) => boolean) {
  const walk = (day: EpochDay, step: 1 | -1): EpochDay => {
    for (let i = 1; i <= MAX_CLOSURE_DAYS; i++) if (isSession(day + i * step)) return day + i * step
    throw new Error(`no session within ${MAX_CLOSURE_DAYS} days of ${formatDate(day)}`)
  }
  return {
    nextSession: (day: EpochDay) => walk(day, 1),
    previousSession: (day: EpochDay) => walk(day, -1),
    sessionsBetween(from: EpochDay, to: EpochDay): Int32Array {
      const days = new Int32Array(Math.max(0, to - from))
      let count = 0
      for (let day = from; day < to; day++) if (isSession(day)) days[count++] = day
      return days.slice(0, count)
    },
  }
}

const closedDay = (market: string, day: EpochDay): RangeError =>
  new RangeError(`${formatDate(day)} is not a session of the ${market}`)

const [SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 2, 3, 4, 5, 6] as const

/** Days of mourning and disasters: known only when they happen. */
const IRREGULAR_CLOSURES: ReadonlyMap<EpochDay, string> = new Map([
  [dateOf('1994-04-27'), 'Mourning for Richard Nixon'],
  [dateOf('2001-09-11'), 'Attacks of September 11'],
  [dateOf('2001-09-12'), 'Attacks of September 11'],
  [dateOf('2001-09-13'), 'Attacks of September 11'],
  [dateOf('2001-09-14'), 'Attacks of September 11'],
  [dateOf('2004-06-11'), 'Mourning for Ronald Reagan'],
  [dateOf('2007-01-02'), 'Mourning for Gerald Ford'],
  [dateOf('2012-10-29'), 'Hurricane Sandy'],
  [dateOf('2012-10-30'), 'Hurricane Sandy'],
  [dateOf('2018-12-05'), 'Mourning for George H. W. Bush'],
  [dateOf('2025-01-09'), 'Mourning for Jimmy Carter'],
])

const ONE_OFF_EARLY_CLOSES: readonly EpochDay[] = ['1997-12-26', '1999-12-31', '2003-12-26'].map(dateOf)

/** Full-day closures of a year by the exchange's rules, which hold from 1990 on. */
export function nyseClosures(year: number): Map<EpochDay, string> {
  const closures = new Map<EpochDay, string>()
  const newYear = toEpochDay(year, 1, 1)
  // On a Saturday it is not moved to the Friday, which belongs to the old year's accounts.
  if (weekday(newYear) !== SATURDAY) closures.set(sundayToMonday(newYear), "New Year's Day")
  if (year >= 1998) closures.set(nthWeekday(year, 1, MONDAY, 3), 'Martin Luther King Jr. Day')
  closures.set(nthWeekday(year, 2, MONDAY, 3), "Washington's Birthday")
  closures.set(easterSunday(year) - 2, 'Good Friday')
  closures.set(nthWeekday(year, 5, MONDAY, -1), 'Memorial Day')
  if (year >= 2022) closures.set(nearestWeekday(toEpochDay(year, 6, 19)), 'Juneteenth')
  closures.set(nearestWeekday(toEpochDay(year, 7, 4)), 'Independence Day')
  closures.set(nthWeekday(year, 9, MONDAY, 1), 'Labor Day')
  closures.set(thanksgiving(year), 'Thanksgiving Day')
  closures.set(nearestWeekday(toEpochDay(year, 12, 25)), 'Christmas Day')
  const yearEnd = toEpochDay(year + 1, 1, 1)
  for (const [day, name] of IRREGULAR_CLOSURES) if (day >= newYear && day < yearEnd) closures.set(day, name)
  return closures
}

/**
 * Scheduled early closes of a year as minutes of the New York day. Unscheduled ones (a snow storm, a fire) and late
 * openings are left out: they shorten intraday history by minutes and move no session.
 */
function nyseEarlyCloses(year: number): Map<EpochDay, number> {
  const closeMinute = (year < 1993 ? 14 : 13) * 60
  const days: EpochDay[] = []
  if (year >= 1992) days.push(thanksgiving(year) + 1)
  const christmasEve = toEpochDay(year, 12, 24)
  if (isBetween(weekday(christmasEve), MONDAY, THURSDAY)) days.push(christmasEve)
  days.push(...daysAroundIndependenceDay(year))
  const [from, to] = [toEpochDay(year, 1, 1), toEpochDay(year + 1, 1, 1)]
  days.push(...ONE_OFF_EARLY_CLOSES.filter((day) => day >= from && day < to))
  const closures = nyseClosures(year)
  return new Map(days.filter((day) => !closures.has(day)).map((day) => [day, closeMinute]))
}

function daysAroundIndependenceDay(year: number): EpochDay[] {
  if (year < 1995) return []
  const third = toEpochDay(year, 7, 3)
  const day = weekday(third)
  if (day === MONDAY || day === TUESDAY || day === THURSDAY) return [third]
  // A holiday on Thursday made the Friday after it short; since 2013 the Wednesday before it is.
  if (day === WEDNESDAY) return [year >= 2013 ? third : third + 2]
  return []
}

const thanksgiving = (year: number): EpochDay => nthWeekday(year, 11, THURSDAY, 4)

const isBetween = (value: number, low: number, high: number): boolean => value >= low && value <= high

const sundayToMonday = (day: EpochDay): EpochDay => (weekday(day) === SUNDAY ? day + 1 : day)

const nearestWeekday = (day: EpochDay): EpochDay => {
  if (weekday(day) === SATURDAY) return day - 1
  return sundayToMonday(day)
}

const div = (a: number, b: number): number => Math.floor(a / b)

/** The anonymous Gregorian computus (Nature, 20 April 1876). */
function easterSunday(year: number): EpochDay {
  const a = year % 19
  const b = div(year, 100)
  const c = year % 100
  const g = div(b - div(b + 8, 25) + 1, 3)
  const h = (19 * a + b - div(b, 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * div(c, 4) - h - (c % 4)) % 7
  const m = div(a + 11 * h + 22 * l, 451)
  const n = h + l - 7 * m + 114
  return toEpochDay(year, div(n, 31), (n % 31) + 1)
}

export const isNyseWeekday = (day: EpochDay): boolean => isBetween(weekday(day), MONDAY, FRIDAY)

const OPEN_MINUTE = 9 * 60 + 30
const CLOSE_MINUTE = 16 * 60
const FIRST_YEAR = 1800
const LAST_YEAR = 2100
const FIRST_DAY = toEpochDay(FIRST_YEAR, 1, 1)
const DAY_COUNT = toEpochDay(LAST_YEAR + 1, 1, 1) - FIRST_DAY

/** Exceptions to the rules: an announced day of mourning, a session that ended early or began late. */
export interface SessionChange {
  readonly day: EpochDay
  /** Minute of the New York day; undefined when the exchange stays closed. */
  readonly closeMinute: number | undefined
  /** The usual one where it is left out. */
  readonly openMinute?: number
}

/**
 * The New York Stock Exchange by rule: exact from 1990, the same rules carried back before that (when the exchange had
 * other holidays, and Saturdays). A broker's own calendar overrules it through `changes`.
 */
export function nyseCalendar(changes: readonly SessionChange[] = []): TradingCalendar {
  const closeMinutes = closeMinutesByRule()
  const openMinutes = new Map<EpochDay, number>()
  for (const { day, closeMinute, openMinute } of changes) {
    closeMinutes[day - FIRST_DAY] = closeMinute ?? 0
    if (openMinute !== undefined) openMinutes.set(day, openMinute)
  }
  const summer = daylightSavingFlags()

  const closeMinuteOf = (day: EpochDay): number => {
    const minute = closeMinutes[day - FIRST_DAY]
    if (minute === undefined) throw new RangeError(`the NYSE calendar reaches from ${FIRST_YEAR} to ${LAST_YEAR}`)
    return minute
  }
  const isSession = (day: EpochDay) => closeMinuteOf(day) > 0
  const instant = (day: EpochDay, minute: number) => {
    if (!isSession(day)) throw closedDay('NYSE', day)
    return newYorkInstant(day, minute, summer[day - FIRST_DAY] === 1)
  }
  return {
    id: 'nyse',
    sessionsPerYear: 252,
    isSession,
    openOf: (day) => instant(day, openMinutes.get(day) ?? OPEN_MINUTE),
    closeOf: (day) => instant(day, closeMinuteOf(day)),
    ...sessionsFrom(isSession),
    barsPerSession: (granularity) =>
      granularity === '1d' ? 1 : Math.ceil(((CLOSE_MINUTE - OPEN_MINUTE) * MINUTE) / granularityMillis(granularity)),
  }
}

/** 0 stands for "closed all day". */
function closeMinutesByRule(): Uint16Array {
  const minutes = new Uint16Array(DAY_COUNT)
  for (let i = 0; i < DAY_COUNT; i++) if (isNyseWeekday(FIRST_DAY + i)) minutes[i] = CLOSE_MINUTE
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    for (const [day, minute] of nyseEarlyCloses(year)) minutes[day - FIRST_DAY] = minute
    for (const day of nyseClosures(year).keys()) minutes[day - FIRST_DAY] = 0
  }
  return minutes
}

function daylightSavingFlags(): Uint8Array {
  const flags = new Uint8Array(DAY_COUNT)
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    const { from, to } = daylightSavingDays(year)
    flags.fill(1, from - FIRST_DAY, to - FIRST_DAY)
  }
  return flags
}

/** The calendar by rule alone, for everything but live trading. */
export const nyse: TradingCalendar = nyseCalendar()

/** Never closes; a session is a UTC day and ends when the next one begins. */
export const crypto: TradingCalendar = {
  id: 'crypto',
  sessionsPerYear: 365,
  isSession: () => true,
  openOf: (day) => day * DAY,
  closeOf: (day) => (day + 1) * DAY,
  ...sessionsFrom(() => true),
  barsPerSession: (granularity) => DAY / granularityMillis(granularity),
}

interface SessionBars {
  readonly first: UtcMillis
  readonly step: number
  readonly count: number
}

/** A session's bars by their opening instants; the last one may be cut short by the close. Daily: the one stamp. */
export function sessionBars(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): SessionBars {
  const step = granularityMillis(granularity)
  if (granularity === '1d') return { first: dayStamp(day), step, count: 1 }
  const first = calendar.openOf(day)
  return { first, step, count: Math.ceil((calendar.closeOf(day) - first) / step) }
}

/** The opening instants of a session's bars. */
export function barStamps(calendar: TradingCalendar, day: EpochDay, granularity: Granularity): Float64Array {
  const { first, step, count } = sessionBars(calendar, day, granularity)
  return Float64Array.from({ length: count }, (_, i) => first + i * step)
}

/** When a bar's close is known: the session's close for a daily bar, the end of its interval for an intraday one. */
export function barKnownAt(calendar: TradingCalendar, stamp: number, granularity: Granularity): number {
  if (granularity !== '1d') return stamp + granularityMillis(granularity)
  const day = stamp / dayStamp(1)
  // A row on a day that should be closed exists all the same; it is known when that day is over.
  return calendar.isSession(day) ? calendar.closeOf(day) : dayStamp(day + 1)
}

/** The given weekday of a month: the nth from its start (n = 1 is the first), or the last one for n = -1. */
function nthWeekday(year: number, month: number, dayOfWeek: number, n: number): EpochDay {
  if (n > 0) {
    const first = toEpochDay(year, month, 1)
    return first + ((dayOfWeek - weekday(first) + 7) % 7) + 7 * (n - 1)
  }
  const last = month === 12 ? toEpochDay(year + 1, 1, 1) - 1 : toEpochDay(year, month + 1, 1) - 1
  return last - ((weekday(last) - dayOfWeek + 7) % 7)
}

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
