import { tickerKind } from '@tradewright/core/ticker-kind'
import { SECOND } from '@tradewright/core/time'
import type { BrokerQuote } from '@tradewright/engine/trading/broker'
import { alpacaDataClient } from '../alpaca-data/http.ts'
import type { HttpSurroundings } from '../http/http-client.ts'
import { alpacaProblem } from './failures.ts'
import type { AlpacaKeys } from './http.ts'
import { AlpacaQuotes } from './schema.ts'
import { toAlpacaSymbol } from './symbols.ts'

export type AlpacaQuoteSource = (ticker: string) => Promise<BrokerQuote | undefined>

/** An order does not wait longer for its quote. */
const TIMEOUT = 3 * SECOND

/**
 * Latest quotes are at the host of market data, under the keys of the account. Without a feed Alpaca takes the best one
 * that the account has subscribed to.
 */
export function alpacaQuotes(
  baseUrl: string,
  keys: AlpacaKeys,
  surroundings: HttpSurroundings,
  signal: AbortSignal,
): AlpacaQuoteSource {
  const client = alpacaDataClient(baseUrl, keys, surroundings, {
    timeoutMillis: TIMEOUT,
    retry: { attempts: 1, longestWaitMillis: 0 },
  })
  return async (ticker) => {
    const symbol = toAlpacaSymbol(ticker)
    const isCoin = tickerKind(ticker) === 'crypto'
    const path = isCoin ? '/v1beta3/crypto/us/latest/quotes' : '/v2/stocks/quotes/latest'
    try {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
      const { quotes } = AlpacaQuotes.parse(await client.json({ path, query: { symbols: symbol }, signal: soon }))
      const sent = quotes[symbol]
      return sent && { bid: offered(sent.bp), ask: offered(sent.ap), at: sent.t }
    } catch (error) {
      throw alpacaProblem(error, 'question')
    }
  }
}

const offered = <Amount extends { readonly isPositive: boolean }>(price: Amount | undefined): Amount | undefined =>
  price?.isPositive ? price : undefined
