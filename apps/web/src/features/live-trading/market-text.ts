import {
  formatMarketTime,
  formatTime,
  marketDay,
  marketDayOfYear,
  ownDay,
  ownDayOfYear,
} from '../../lib/format-time.ts'
import type { MarketGlance } from './queries.ts'

/** `US market open · closes 4:00 PM ET`, `US market closed · opens Mon 16 Nov, 9:30 AM ET`. */
export function marketText({ is_open, next_open, next_close }: MarketGlance, now = new Date()): string {
  if (is_open) return `US market open · closes ${formatMarketTime(next_close)}`
  const opens = new Date(next_open)
  const day = marketDay(opens) === marketDay(now) ? '' : `${marketDayOfYear(opens, 'short')}, `
  return `US market closed · opens ${day}${formatMarketTime(opens)}`
}

interface Sending {
  market_open: boolean
  next_check_at: string | null
}

/** When the orders of a preview would be sent. */
export function sendingText({ market_open, next_check_at }: Sending, orders: number, now = new Date()): string {
  const state = market_open ? 'The market is open' : 'The market is closed'
  if (next_check_at === null) return `${state}. No check is scheduled.`
  const checks = new Date(next_check_at)
  const when = `${ownDay(checks) === ownDay(now) ? 'today' : ownDayOfYear(checks)}, ${formatTime(checks)}`
  const what =
    orders === 0 ? 'It decides again' : orders === 1 ? 'This order would be sent' : 'These orders would be sent'
  return `${state}. ${what} at the next check, ${when}, at the prices of that moment.`
}
