import { HOUR, MINUTE, SECOND, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { readMost } from '../http/read-each.ts'
import { CoinalyzeHistory, CoinalyzeMarket, CoinalyzeMarkets, CoinalyzeRow } from './schema.ts'

interface HistoryCall {
  readonly endpoint: string
  readonly symbols: readonly string[]
  readonly interval: string
  readonly range: TimeRange
}

export interface CoinalyzeHttp {
  markets(signal: AbortSignal): Promise<readonly CoinalyzeMarket[]>
  /** Rows by symbol, ascending, the running one included. */
  history(call: HistoryCall, signal: AbortSignal): Promise<Map<string, CoinalyzeRow[]>>
}

const MARKETS_CACHE_MS = 6 * HOUR

/** 40 calls a minute for the whole server, in which every symbol counts as a call. */
export const coinalyzeLimit = { calls: 40, windowMillis: MINUTE }

export function coinalyzeHttp(baseUrl: string, apiKey: string, surroundings: HttpSurroundings): CoinalyzeHttp {
  const http = httpClient(
    {
      service: 'coinalyze',
      baseUrl,
      headers: { api_key: apiKey },
      secrets: [apiKey],
      bucket: surroundings.buckets.of('coinalyze', coinalyzeLimit),
      retry: { limitBackOffMillis: MINUTE },
    },
    surroundings,
  )
  let kept: { markets: readonly CoinalyzeMarket[]; at: UtcMillis } | undefined
  return {
    async markets(signal) {
      if (!kept || surroundings.timing.now() - kept.at > MARKETS_CACHE_MS) {
        const elements = CoinalyzeMarkets.parse(await http.json({ path: '/v1/future-markets', signal }))
        const markets = readMost(CoinalyzeMarket, { service: 'coinalyze', list: 'markets', elements }, surroundings.log)
        kept = { markets, at: surroundings.timing.now() }
      }
      return kept.markets
    },
    async history({ endpoint, symbols, interval, range }, signal) {
      const query = {
        symbols: symbols.join(','),
        interval,
        from: Math.ceil(range.from / SECOND),
        to: Math.ceil(range.to / SECOND) - 1,
        // The unit would otherwise depend on the market.
        ...(/open-interest|liquidation/.test(endpoint) ? { convert_to_usd: 'true' } : {}),
      }
      const answer = await http.json({ path: `/v1/${endpoint}`, query, signal, cost: symbols.length })
      const rowsOf = (elements: readonly unknown[]) =>
        readMost(CoinalyzeRow, { service: 'coinalyze', list: endpoint, elements }, surroundings.log)
      return new Map(CoinalyzeHistory.parse(answer).map(({ symbol, history }) => [symbol, rowsOf(history)]))
    },
  }
}
