import { formatMarketTime } from '../../lib/format-time.ts'
import type { MarketGlance } from './queries.ts'

const ZONE = 'America/New_York'

/** `US market open · closes 4:00 PM ET`, `US market closed · opens Mon 16 Nov, 9:30 AM ET`. */
export function marketText({ is_open, next_open, next_close }: MarketGlance, now = new Date()): string {
  if (is_open) return `US market open · closes ${formatMarketTime(next_close)}`
  return `US market closed · opens ${dayText(next_open, now)}${formatMarketTime(next_open)}`
}

interface Sending {
  market_open: boolean
  next_check_at: string | null
}

/** When the orders of a preview would be sent. */
export function sendingText({ market_open, next_check_at }: Sending, orders: number, now = new Date()): string {
  const state = market_open ? 'The market is open' : 'The market is closed'
  if (next_check_at === null) return `${state}. No check is scheduled.`
  const day = dayText(next_check_at, now)
  const when = `${day === '' ? 'today, ' : day}${formatMarketTime(next_check_at)}`
  const what =
    orders === 0 ? 'It decides again' : orders === 1 ? 'This order would be sent' : 'These orders would be sent'
  return `${state}. ${what} at the next check, ${when}, at the prices of that moment.`
}

function dayText(when: string, now: Date): string {
  const instant = new Date(when)
  const dayIn = (one: Date) => one.toLocaleDateString('en-CA', { timeZone: ZONE })
  if (dayIn(instant) === dayIn(now)) return ''
  const part = (options: Intl.DateTimeFormatOptions) =>
    instant.toLocaleDateString('en-US', { timeZone: ZONE, ...options })
  return `${part({ weekday: 'short' })} ${part({ day: 'numeric' })} ${part({ month: 'short' })}, `
}
