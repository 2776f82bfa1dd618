import { parseTicker, type Ticker } from '@tradewright/core/ticker'

const CASHX = 'CASHX'

/** Cash is held, not traded: it is neither mapped nor validated. */
export const isCash = (signal: string): boolean => plainSymbol(signal) === CASHX

/** `SPY?L=3` trades as `SPY` unless it is mapped to something else. */
export const plainSymbol = (signal: string): string => read(signal)?.symbol ?? signal.trim()

/** The `?L=n` of a signal ticker; 1 where there is none. */
export const leverageOf = (signal: string): number => read(signal)?.leverage?.factor ?? 1

function read(signal: string): Ticker | null {
  try {
    return parseTicker(signal)
  } catch {
    return null
  }
}

const SETTINGS = new Set(['trading_frequency_type', 'end_of_day_minutes_before_close', 'bypass_market_hours'])

/** The list keeps three settings in the mapping; they are no tickers. */
export function tickersIn(mapping: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([signal, trading]) =>
      SETTINGS.has(signal) || typeof trading !== 'string' ? [] : [[signal, trading]],
    ),
  )
}
