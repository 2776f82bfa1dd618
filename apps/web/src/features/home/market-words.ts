import type { getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { formatMarketTime, marketDayOfYear } from '../../lib/format-time.ts'
import type { AnswerOf } from '../../lib/http.ts'

type Market = AnswerOf<typeof getDeploymentsAtAGlance>['market']

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60

/** `Tuesday, 30 September`: the date at the exchange. */
export const marketDay = (now: Date): string => marketDayOfYear(now, 'long')

/** `The US market opens in 42 minutes, at 9:30 AM ET.` */
export function marketSentence({ is_open, next_open, next_close }: Market, now: Date): string {
  if (is_open) return `The US market is open until ${formatMarketTime(next_close)}.`
  const opens = new Date(next_open)
  const time = formatMarketTime(opens)
  if (marketDay(opens) !== marketDay(now)) {
    return `The US market is closed and opens ${marketDay(opens)}, at ${time}.`
  }
  return `The US market opens in ${durationText(opens.getTime() - now.getTime())}, at ${time}.`
}

/** Rounded up: a market that opens in half a minute is not open. */
function durationText(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  const hours = Math.floor(minutes / HOUR_MINUTES)
  const rest = minutes % HOUR_MINUTES
  return [hours > 0 && counted(hours, 'hour'), rest > 0 && counted(rest, 'minute')].filter(Boolean).join(' and ')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
