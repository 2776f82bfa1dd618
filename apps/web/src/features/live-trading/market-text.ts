import { formatMarketTime } from '../../lib/format-time.ts'
import type { MarketGlance } from './queries.ts'

const ZONE = 'America/New_York'

/** `US market open · closes 4:00 PM ET`, `US market closed · opens Mon 16 Nov, 9:30 AM ET`. */
export function marketText({ is_open, next_open, next_close }: MarketGlance, now = new Date()): string {
  if (is_open) return `US market open · closes ${formatMarketTime(next_close)}`
  return `US market closed · opens ${dayText(next_open, now)}${formatMarketTime(next_open)}`
}

function dayText(when: string, now: Date): string {
  const instant = new Date(when)
  const dayIn = (one: Date) => one.toLocaleDateString('en-CA', { timeZone: ZONE })
  if (dayIn(instant) === dayIn(now)) return ''
  const part = (options: Intl.DateTimeFormatOptions) =>
    instant.toLocaleDateString('en-US', { timeZone: ZONE, ...options })
  return `${part({ weekday: 'short' })} ${part({ day: 'numeric' })} ${part({ month: 'short' })}, `
}
