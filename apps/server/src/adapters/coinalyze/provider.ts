import type { Granularity } from '@tradewright/core/granularity'
import { coinOf, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import type { TimeRange } from '@tradewright/core/time'
import { normalise } from '@tradewright/engine/market/layers/normalise'
import { stampAsInstant } from '@tradewright/engine/market/layers/stamps'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import { ProviderFailure } from '@tradewright/engine/market/provider-failure'
import type { HttpSurroundings } from '../http/http-client.ts'
import { callWindows, refusalByLimits, withinReach } from '../market-data/call-windows.ts'
import { delivery, nothingInRange, unknownTicker } from '../market-data/delivery.ts'
import { batchesOf, inBatches } from '../market-data/in-batches.ts'
import { unfinishedFrom } from '../market-data/unfinished.ts'
import { type CoinalyzeHttp, coinalyzeHttp, coinalyzeLimit } from './http.ts'
import { longLiquidations, shortLiquidations, toBronze, withOurFields, withQuietIntervals } from './mapping.ts'
import type { CoinalyzeRow, CoinalyzeMarket } from './schema.ts'

const vendor = { id: 'coinalyze', displayName: 'Coinalyze' }

/** Intraday rows are kept for about 1500 intervals, daily ones for ever, at most 1500 in an answer. */
const limits: ProviderLimits = {
  maxTickerBatch: 20,
  callsPerMinute: coinalyzeLimit.calls,
  history: {
    '1m': { daysBack: 1 },
    '5m': { daysBack: 5 },
    '15m': { daysBack: 15 },
    '30m': { daysBack: 31 },
    '1h': { daysBack: 62 },
    '1d': { daysPerCall: 1_000 },
  },
  supportedCategories: ['value', longLiquidations, shortLiquidations],
  bulkMode: false,
}

const INTERVALS: Readonly<Record<Granularity, string>> = {
  '1m': '1min',
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1h': '1hour',
  '1d': 'daily',
}

const ENDPOINTS: ReadonlyMap<TickerKind, string> = new Map([
  ['funding_rate', 'funding-rate-history'],
  ['open_interest', 'open-interest-history'],
  ['long_short_ratio', 'long-short-ratio-history'],
  ['liquidations', 'liquidation-history'],
])

const CATEGORIES = { value: 'value', [longLiquidations]: longLiquidations, [shortLiquidations]: shortLiquidations }

interface CoinalyzeSettings {
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

export function coinalyzeProvider(
  { baseUrl, apiKey }: CoinalyzeSettings,
  surroundings: HttpSurroundings,
): MarketDataProvider {
  const http = apiKey === undefined ? undefined : coinalyzeHttp(baseUrl, apiKey, surroundings)
  return {
    ...vendor,
    providerType: 'crypto derivatives',
    isCustom: false,
    requiresAuth: true,
    synthetic: false,
    limits,
    serves: ({ kind }) => ENDPOINTS.has(kind),
    async *fetch(request, signal) {
      if (!http)
        throw new ProviderFailure('auth', 'Coinalyze needs a key: set COINALYZE_API_KEY.', { provider: vendor.id })
      const batches = [...Map.groupBy(request.tickers, tickerKind).values()].flatMap((tickers) =>
        batchesOf(tickers, limits.maxTickerBatch),
      )
      yield* inBatches(vendor, batches, signal, (tickers) =>
        fetchBatch(http, request, tickers, surroundings.timing.now(), signal),
      )
    },
  }
}

/** Tickers of one kind, which have one endpoint. */
async function fetchBatch(
  http: CoinalyzeHttp,
  request: FetchRequest,
  tickers: readonly string[],
  now: number,
  signal: AbortSignal,
): Promise<TickerResult[]> {
  const results: TickerResult[] = []
  const symbols = new Map<string, string>()
  for (const ticker of tickers) {
    const refusal = refusalByLimits(vendor, limits, { ticker, ...request }, now)
    const market = refusal
      ? undefined
      : perpetualOf(await http.markets(signal), coinOf(ticker) ?? '', tickerKind(ticker))
    if (market) symbols.set(ticker, market.symbol)
    else results.push(refusal ?? unknownTicker(vendor, ticker))
  }
  const rows = await fetchRows(http, request, symbols, now, signal)
  for (const [ticker, symbol] of symbols) results.push(toResult(request, ticker, symbol, rows.get(symbol) ?? [], now))
  return results
}

/** From the newest window back, until one has nothing: the API does not say when a market's history begins. */
async function fetchRows(
  http: CoinalyzeHttp,
  { granularity, range }: FetchRequest,
  symbols: ReadonlyMap<string, string>,
  now: number,
  signal: AbortSignal,
): Promise<Map<string, CoinalyzeRow[]>> {
  const [ticker] = symbols.keys()
  const rows = new Map<string, CoinalyzeRow[]>()
  if (ticker === undefined) return rows
  const { daysBack, daysPerCall } = limits.history[granularity] ?? {}
  const reach: TimeRange = withinReach({ from: range.from, to: Math.min(range.to, now) }, daysBack, now)
  const call = {
    endpoint: ENDPOINTS.get(tickerKind(ticker))!,
    symbols: [...new Set(symbols.values())],
    interval: INTERVALS[granularity],
  }
  for (const window of callWindows(reach, daysPerCall, { newestFirst: true })) {
    const answer = await http.history({ ...call, range: window }, signal)
    for (const [symbol, history] of answer) rows.set(symbol, [...history, ...(rows.get(symbol) ?? [])])
    if ([...answer.values()].every((history) => history.length === 0)) break
  }
  return rows
}

function toResult(
  request: FetchRequest,
  ticker: string,
  symbol: string,
  rows: readonly CoinalyzeRow[],
  now: number,
): TickerResult {
  const { granularity, range } = request
  if (rows.length === 0) return nothingInRange(vendor, ticker, range)
  const type = tickerKind(ticker)
  const bronze = toBronze(rows, { symbol, kind: type, granularity, collectedAt: now })
  const { silver, refused } = normalise(withOurFields(bronze), {
    ticker,
    type,
    categories: CATEGORIES,
    stamp: stampAsInstant,
    range,
    unfinishedFrom: unfinishedFrom(type, granularity, now)!,
  })
  return delivery(
    vendor,
    { bronze, silver: type === 'liquidations' ? withQuietIntervals(silver) : silver, refused },
    request,
  )
}

/** Binance, Bybit, OKX: the deepest books first, any other exchange after them. */
const EXCHANGES = ['A', '6', '3']
const QUOTES = ['USDT', 'USDC', 'USD']

const placeIn = (list: readonly string[], item: string): number => {
  const place = list.indexOf(item)
  return place === -1 ? list.length : place
}

const rank = ({ margined, quote_asset, exchange }: CoinalyzeMarket): number =>
  (margined === 'STABLE' ? 0 : 1000) + placeIn(QUOTES, quote_asset) * 10 + placeIn(EXCHANGES, exchange)

/** The perpetual that stands for a coin: margined in stablecoins, best quote, then best exchange. */
function perpetualOf(markets: readonly CoinalyzeMarket[], coin: string, kind: TickerKind): CoinalyzeMarket | undefined {
  return markets
    .filter((market) => market.is_perpetual && market.base_asset === coin)
    .filter((market) => kind !== 'long_short_ratio' || market.has_long_short_ratio_data)
    .sort((a, b) => rank(a) - rank(b) || (a.symbol < b.symbol ? -1 : 1))[0]
}
