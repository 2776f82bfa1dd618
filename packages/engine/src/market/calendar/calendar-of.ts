import type { TickerKind } from '@tradewright/core/ticker-kind'
import { crypto } from './crypto.ts'
import { nyse } from './nyse.ts'
import type { TradingCalendar } from './trading-calendar.ts'

const AROUND_THE_CLOCK: ReadonlySet<TickerKind> = new Set<TickerKind>([
  'crypto',
  'funding_rate',
  'open_interest',
  'long_short_ratio',
  'liquidations',
])

/**
 * The sessions a ticker is expected to have rows for. Economic series have a frequency instead, and cash follows
 * whatever it is held beside.
 */
export function calendarOf(kind: TickerKind): TradingCalendar | undefined {
  if (AROUND_THE_CLOCK.has(kind)) return crypto
  return kind === 'economic' || kind === 'cash' || kind === 'treasury_bill' ? undefined : nyse
}
