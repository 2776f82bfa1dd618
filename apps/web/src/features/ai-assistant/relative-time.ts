import { formatDate } from '../../lib/format-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `now`, `5m`, `3h`, `2d`, and the date after 7 days. */
export function relativeTime(when: string, now: number): string {
  const age = now - Date.parse(when)
  if (!(age >= MINUTE)) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`
  if (age < DAY) return `${Math.floor(age / HOUR)}h`
  if (age <= 7 * DAY) return `${Math.floor(age / DAY)}d`
  return formatDate(when)
}
