import { SECOND, type TimeRange } from '@tradewright/core/time'
import { HttpFailure } from '../http/http-failure.ts'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { readMost } from '../http/read-each.ts'
import { CoinbaseCandle, CoinbaseCandles } from './schema.ts'

export interface CoinbaseHttp {
  /** At most 300 candles, newest first. Undefined when Coinbase does not know the product. */
  candles(
    product: string,
    seconds: number,
    range: TimeRange,
    signal: AbortSignal,
  ): Promise<CoinbaseCandle[] | undefined>
}

export function coinbaseHttp(baseUrl: string, surroundings: HttpSurroundings): CoinbaseHttp {
  const http = httpClient(
    {
      service: 'coinbase',
      baseUrl,
      headers: { 'user-agent': 'Tradewright' },
      bucket: surroundings.buckets.of('coinbase', { calls: 8, windowMillis: SECOND }),
    },
    surroundings,
  )
  return {
    async candles(product, seconds, { from, to }, signal) {
      const query = {
        granularity: seconds,
        start: new Date(from).toISOString(),
        // Their end belongs to the range, ours does not.
        end: new Date(to - 1).toISOString(),
      }
      try {
        const answer = await http.json({ path: `/products/${encodeURIComponent(product)}/candles`, query, signal })
        const elements = CoinbaseCandles.parse(answer)
        return readMost(CoinbaseCandle, { service: 'coinbase', list: 'candles', elements }, surroundings.log)
      } catch (error) {
        if (error instanceof HttpFailure && error.status === 404 && error.body.startsWith('{')) return undefined
        throw error
      }
    },
  }
}
