import { formatMarketTime } from '../lib/format-time.ts'

const ZONE = 'America/New_York'
const dayIn = (instant: Date) => instant.toLocaleDateString('en-CA', { timeZone: ZONE })

/** `3:30 PM ET` today, `Mon, 3:30 PM ET` on another day. */
export function nextCheckText(when: string, now = new Date()): string {
  const instant = new Date(when)
  const time = formatMarketTime(when)
  if (dayIn(instant) === dayIn(now)) return time
  return `${instant.toLocaleDateString('en-US', { timeZone: ZONE, weekday: 'short' })}, ${time}`
}
