import { EXCHANGE_ZONE } from '@tradewright/core/formats'
import { MISSING, type Places, places } from './format.ts'

/** A session date ("2026-11-14"), an instant (ISO text or Date), or nothing. */
type When = string | Date | null | undefined

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The exchange's zone. */
const EASTERN = 'America/New_York'

const SESSION_DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * `14 Nov 2026`, or as the user chose. A date without a time is a session date and belongs to no time zone; an instant has
 * the date of the chosen zone, and without a choice that of UTC.
 */
export function formatDate(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  const { timeZone } = places()
  const isSession = typeof when === 'string' && SESSION_DATE.test(when)
  return writtenDate(isSession || timeZone === EXCHANGE_ZONE ? instant : new Date(dateIn(instant, timeZone)))
}

const two = (number: number): string => String(number).padStart(2, '0')

/** Writes a date from a year, a month from 0 and a day. */
const WRITTEN: Readonly<Record<Places['dates'], (year: number, month: number, day: number) => string>> = {
  'day-month': (year, month, day) => `${day} ${MONTHS[month]} ${year}`,
  'month-day': (year, month, day) => `${MONTHS[month]} ${day}, ${year}`,
  iso: (year, month, day) => `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`,
  dots: (year, month, day) => `${two(day)}.${two(month + 1)}.${year}`,
  slashes: (year, month, day) => `${two(day)}/${two(month + 1)}/${year}`,
}

/** Writes the date of the instant's UTC fields. */
const writtenDate = (instant: Date): string =>
  WRITTEN[places().dates](instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate())

/** YYYY-MM-DD of a zone's calendar. */
const dateIn = (instant: Date, timeZone: string): string => instant.toLocaleDateString('en-CA', { timeZone })

/** `28 Dec 2023 – 7 May 2024`. */
export function formatDateRange(from: When, to: When): string {
  return `${formatDate(from)} – ${formatDate(to)}`
}

/** `Nov ’26`, for chart axes. */
export function formatMonth(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  return `${MONTHS[instant.getUTCMonth()]} ’${String(instant.getUTCFullYear()).slice(-2)}`
}

/** `3:30 PM ET`: the exchange's clock, whatever the reader's. */
export function formatMarketTime(when: When): string {
  const instant = toInstant(when)
  return instant ? `${marketHour(instant)} ET` : MISSING
}

/** `3:30 PM` on that clock, where the zone is told elsewhere. */
export const marketHour = (instant: Date): string => timeIn(instant, EASTERN)

function timeIn(instant: Date, timeZone: string, more: Intl.DateTimeFormatOptions = {}): string {
  const hour =
    places().clock === '24'
      ? ({ hour: '2-digit', hourCycle: 'h23' } as const)
      : ({ hour: 'numeric', hourCycle: 'h12' } as const)
  const time = instant.toLocaleTimeString('en-US', { timeZone, ...hour, minute: '2-digit', ...more })
  // Some platforms put a narrow no-break space before AM and PM.
  return time.replace(/\s/g, ' ')
}

/** `9:45 AM` at the exchange, as sentences of the server have it. */
export const exchangeTime = (instant: Date): string =>
  instant.toLocaleTimeString('en-US', { timeZone: EASTERN, hour: 'numeric', minute: '2-digit' }).replace(/\s/g, ' ')

/** `13 Nov 2026, 3:30:05 PM EST`: date and time in a zone, with its name that day. */
function formatZoned(instant: Date, timeZone: string, precision: 'minutes' | 'seconds'): string {
  const more: Intl.DateTimeFormatOptions = {
    timeZoneName: 'short',
    ...(precision === 'seconds' ? { second: '2-digit' } : {}),
  }
  return `${writtenDate(new Date(dateIn(instant, timeZone)))}, ${timeIn(instant, timeZone, more)}`
}

/** `14 Nov 2026, 3:30 PM ET`: date and time of the exchange's clock, or of the zone that the user chose. */
export function formatMarketMoment(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  const { timeZone } = places()
  if (timeZone !== EXCHANGE_ZONE) return formatZoned(instant, timeZone, 'minutes')
  return `${writtenDate(new Date(dateIn(instant, EASTERN)))}, ${formatMarketTime(instant)}`
}

/** `3:30 PM ET`: the time of a moment on the exchange's clock, or on the one that the user chose. */
export function formatTime(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  const { timeZone } = places()
  if (timeZone === EXCHANGE_ZONE) return formatMarketTime(instant)
  return timeIn(instant, timeZone, { timeZoneName: 'short' })
}

const ownZone = (): string => (places().timeZone === EXCHANGE_ZONE ? EASTERN : places().timeZone)

/** `YYYY-MM-DD` on the calendar of the same zone. */
export const ownDay = (instant: Date): string => dateIn(instant, ownZone())

/** `Mon`, of the same zone. */
export const ownWeekday = (instant: Date): string => weekdayIn(instant, ownZone(), 'short')

/** `Mon 16 Nov`, of the same zone; without the year, which is this one or the next. */
export const ownDayOfYear = (instant: Date): string => dayOfYear(instant, ownZone(), 'short')

/** `YYYY-MM-DD` on the calendar of the exchange. */
export const marketDay = (instant: Date): string => dateIn(instant, EASTERN)

/** `Tue 30 Sep` or `Tuesday, 30 September`: the day at the exchange. */
export const marketDayOfYear = (instant: Date, length: 'short' | 'long'): string => dayOfYear(instant, EASTERN, length)

/** `2 Jan 2024, 3:30 PM ET`: of a bar, on the exchange's clock as the chart is, whatever the reader's. */
export const formatBarMoment = (instant: Date): string =>
  `${formatDate(marketDay(instant))}, ${formatMarketTime(instant)}`

const weekdayIn = (instant: Date, timeZone: string, weekday: 'short' | 'long'): string =>
  instant.toLocaleDateString('en-US', { timeZone, weekday })

function dayOfYear(instant: Date, timeZone: string, length: 'short' | 'long'): string {
  const month = instant.toLocaleDateString('en-US', { timeZone, month: length })
  const day = instant.toLocaleDateString('en-US', { timeZone, day: 'numeric' })
  const weekday = weekdayIn(instant, timeZone, length)
  const written = places().dates === 'month-day' ? `${month} ${day}` : `${day} ${month}`
  return `${weekday}${length === 'long' ? ', ' : ' '}${written}`
}

/** The exact machine value, for tooltips and exports. */
export function formatExact(when: When): string {
  return toInstant(when)?.toISOString() ?? MISSING
}

function toInstant(when: When): Date | null {
  if (when === null || when === undefined) return null
  const instant = when instanceof Date ? when : new Date(when)
  return Number.isNaN(instant.getTime()) ? null : instant
}

const STEPS = [
  { seconds: 86_400, word: 'day' },
  { seconds: 3_600, word: 'hour' },
  { seconds: 60, word: 'minute' },
] as const

/** `5 minutes ago`; under a minute `just now`. */
export function formatAge(seconds: number): string {
  const step = STEPS.find((each) => seconds >= each.seconds)
  if (!step) return 'just now'
  const count = Math.floor(seconds / step.seconds)
  return `${count} ${step.word}${count === 1 ? '' : 's'} ago`
}

const WEEK_SECONDS = 7 * 86_400

/** An instant of the past: how long ago, and after a week its date. */
export function formatPast(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1000
  return seconds < WEEK_SECONDS ? formatAge(seconds) : formatDate(instant)
}

type Precision = 'minutes' | 'seconds'

/** `13 Nov 2026, 3:30:05 PM EST`: the exchange's clock with the name of its zone that day, whatever the user chose. */
export function formatEastern(when: string | null | undefined, precision: Precision = 'minutes'): string {
  const instant = new Date(when ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? MISSING : formatZoned(instant, EASTERN, precision)
}

/** A moment on the clock that the user chose, with the name of its zone; without a choice the exchange's. */
export function formatMoment(when: string | null | undefined, precision: Precision = 'minutes'): string {
  const { timeZone } = places()
  const instant = new Date(when ?? Number.NaN)
  if (timeZone === EXCHANGE_ZONE || Number.isNaN(instant.getTime())) return formatEastern(when, precision)
  return formatZoned(instant, timeZone, precision)
}
