import { granularityMillis } from '@tradewright/core/granularity'
import { type EpochDay, MINUTE, toEpochDay } from '@tradewright/core/time'
import { daylightSavingDays, newYorkInstant } from './new-york-time.ts'
import { isNyseWeekday, nyseClosures, nyseEarlyCloses } from './nyse-holidays.ts'
import { closedDay, sessionsFrom } from './session-walk.ts'
import type { TradingCalendar } from './trading-calendar.ts'

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
