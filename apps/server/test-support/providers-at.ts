import { type ExchangeId, exchangeIds } from '@tradewright/core/broker-catalogue'
import { startStandIn } from './stand-ins/stand-in.ts'

/** The addresses of every provider of market data that has one. */
const PROVIDERS = [
  'YAHOO_URL',
  'FRED_URL',
  'FRED_CSV_URL',
  'COINBASE_URL',
  'COINALYZE_URL',
  'ALPACA_DATA_URL',
  'SEC_URL',
] as const

/** Nothing listens there, and a call is refused at once. */
export const NOWHERE = 'http://127.0.0.1:9'

/** `EXCHANGE_URLS` under which no exchange is reached but those that are named. */
export const exchangesAt = (named: Partial<Record<ExchangeId, string>> = {}): string =>
  exchangeIds.map((id) => `${id}=${named[id] ?? NOWHERE}`).join(',')

/** A program that looks for market data here only, so that no test depends on what this machine can reach. */
export const providersAt = (url: string): Record<string, string> =>
  Object.fromEntries(PROVIDERS.map((name) => [name, url]))

/**
 * Providers that know nothing, and say so at once: no test waits for a network, and the sample market is all there is.
 */
export async function startEmptyProviders(): Promise<{ environment: Record<string, string>; close(): Promise<void> }> {
  const nothing = await startStandIn('nothing', () => ({ status: 404, body: { message: 'not found' } }))
  return { environment: providersAt(nothing.url), close: () => nothing.close() }
}
