import { MISSING } from './format.ts'

/** A session date ("2026-11-14"), an instant (ISO text or Date), or nothing. */
type When = string | Date | null | undefined

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14 Nov 2026`. A date without a time is a session date and belongs to no time zone, so UTC is used throughout. */
export function formatDate(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  return `${instant.getUTCDate()} ${MONTHS[instant.getUTCMonth()]} ${instant.getUTCFullYear()}`
}

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
export function marketHour(instant: Date): string {
  const time = instant.toLocaleTimeString('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    minute: '2-digit',
  })
  // Some platforms put a narrow no-break space before AM and PM.
  return time.replace(/\s/g, ' ')
}

/** `14 Nov 2026, 3:30 PM ET`: date and time of the exchange's clock. */
export function formatMarketMoment(when: When): string {
  const instant = toInstant(when)
  if (!instant) return MISSING
  const date = instant.toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
  return `${formatDate(date)}, ${formatMarketTime(instant)}`
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
