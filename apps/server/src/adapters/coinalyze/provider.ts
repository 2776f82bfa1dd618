import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { coinOf, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { type TimeRange, HOUR, MINUTE, SECOND, type UtcMillis } from '@tradewright/core/time'
import { normalise, stampAsInstant } from '@tradewright/engine/market/layers/rows'
import {
  type FetchRequest,
  type MarketDataProvider,
  type ProviderLimits,
  type TickerResult,
  ProviderFailure,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { z } from 'zod'
import { type HttpSurroundings, httpClient, readMost } from '../http/http-client.ts'
import {
  callWindows,
  refusalByLimits,
  withinReach,
  delivery,
  nothingInRange,
  unknownTicker,
  batchesOf,
  inBatches,
  unfinishedFrom,
  pluck,
  sentNumber,
} from '../market-data/delivery.ts'

const CoinalyzeMarket = z.object({
  symbol: z.string(),
  exchange: z.string(),
  base_asset: z.string(),
  quote_asset: z.string(),
  is_perpetual: z.boolean(),
  margined: z.string().nullish(),
  has_long_short_ratio_data: z.boolean().default(false),
})

const CoinalyzeMarkets = z.array(z.unknown())
type CoinalyzeMarket = z.infer<typeof CoinalyzeMarket>

/** A history row has `t` and, by endpoint, c (rates, open interest), r (ratio) or l and s (liquidations). */
const CoinalyzeRow = z.object({
  t: z.number(),
  c: sentNumber.optional(),
  r: sentNumber.optional(),
  l: sentNumber.optional(),
  s: sentNumber.optional(),
})

/** A symbol without data may be missing or have an empty history. */
const CoinalyzeHistory = z.array(z.object({ symbol: z.string(), history: z.array(z.unknown()) }))
type CoinalyzeRow = z.infer<typeof CoinalyzeRow>

const longLiquidations = 'long_liquidations'
const shortLiquidations = 'short_liquidations'

interface SentHistory {
  readonly symbol: string
  readonly kind: TickerKind
  readonly granularity: Granularity
  readonly collectedAt: UtcMillis
}

const FIELDS = ['c', 'r', 'l', 's'] as const

function toBronze(rows: readonly CoinalyzeRow[], { symbol, kind, granularity, collectedAt }: SentHistory): SeriesBlock {
  const fields = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined))
  return {
    ticker: symbol,
    granularity,
    provider: 'coinalyze',
    type: kind,
    currency: 'USD',
    collectedAt,
    timestamps: Float64Array.from(rows, ({ t }) => t * SECOND),
    columns: Object.fromEntries(fields.map((field) => [field, pluck(rows, (row) => row[field])])),
  }
}

/**
 * The one value of each series: the rate (in percent, as sent) and the open interest (in USD) at the end of the interval, the ratio of
 * accounts, and all liquidations together.
 */
function withOurFields(bronze: SeriesBlock): SeriesBlock {
  const { c, r, l, s } = bronze.columns
  if (bronze.type !== 'liquidations')
    return { ...bronze, columns: { value: c ?? r ?? new Float64Array(bronze.timestamps.length).fill(Number.NaN) } }
  const [long, short] = [
    l ?? new Float64Array(bronze.timestamps.length),
    s ?? new Float64Array(bronze.timestamps.length),
  ]
  const value = long.map((amount, row) => amount + short[row]!)
  return { ...bronze, columns: { value, [longLiquidations]: long, [shortLiquidations]: short } }
}

/** An interval without liquidations is left out by the vendor; between two that are there it means zero. */
function withQuietIntervals(silver: SeriesBlock): SeriesBlock {
  const { timestamps, columns } = silver
  if (timestamps.length < 2) return silver
  const step = granularityMillis(silver.granularity)
  const first = timestamps[0]!
  const count = Math.round((timestamps.at(-1)! - first) / step) + 1
  const fill = (column: Float64Array) => {
    const filled = new Float64Array(count)
    for (let row = 0; row < column.length; row++) filled[Math.round((timestamps[row]! - first) / step)] = column[row]!
    return filled
  }
  return {
    ...silver,
    timestamps: Float64Array.from({ length: count }, (_, i) => first + i * step),
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, fill(column)])),
  }
}

interface HistoryCall {
  readonly endpoint: string
  readonly symbols: readonly string[]
  readonly interval: string
  readonly range: TimeRange
}

interface CoinalyzeHttp {
  markets(signal: AbortSignal): Promise<readonly CoinalyzeMarket[]>
  /** Rows by symbol, ascending, the running one included. */
  history(call: HistoryCall, signal: AbortSignal): Promise<Map<string, CoinalyzeRow[]>>
}

const MARKETS_CACHE_MS = 6 * HOUR

/** 40 calls a minute for the whole server, in which every symbol counts as a call. */
const coinalyzeLimit = { calls: 40, windowMillis: MINUTE }

function coinalyzeHttp(baseUrl: string, apiKey: string, surroundings: HttpSurroundings): CoinalyzeHttp {
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
