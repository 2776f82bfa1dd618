import { granularityMillis } from '@tradewright/core/granularity'
import { type EpochDay, MINUTE, toEpochDay, dateOf, weekday } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant, nthWeekday } from './new-york-time.ts'
import { closedDay, sessionsFrom } from './session-walk.ts'
import type { TradingCalendar } from './trading-calendar.ts'

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
