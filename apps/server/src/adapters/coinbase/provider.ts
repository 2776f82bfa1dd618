import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { DAY, dateOf, dayStamp, SECOND, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { aggregateBars, normalise, rowsInRange, stampAsInstant } from '@tradewright/engine/market/layers/rows'
import { crypto } from '@tradewright/engine/market/trading-calendar'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { z } from 'zod'
import { type HttpSurroundings, httpClient, readMost } from '../http/http-client.ts'
import {
  callWindows,
  delivery,
  nothingInRange,
  unknownTicker,
  inBatches,
  oneByOne,
  unfinishedFrom,
  pluck,
  sentNumber,
} from '../market-data/delivery.ts'
import { HttpFailure } from '../http/http-failure.ts'

/** Time in seconds, then low, high, open, close in this order, then volume. */
const CoinbaseCandle = z.tuple([z.number(), sentNumber, sentNumber, sentNumber, sentNumber, sentNumber])

/** Newest first; an interval without trades is left out. */
const CoinbaseCandles = z.array(z.unknown())
type CoinbaseCandle = z.infer<typeof CoinbaseCandle>

const vendor = { id: 'coinbase', displayName: 'Coinbase' }

const CANDLES_PER_CALL = 300

/** The exchange opened in January 2015; asking for earlier days would be a call for nothing per 300 of them. */
const FIRST_DAY = dayStamp(dateOf('2015-01-01'))

/** 30m is built from 15m, which is the next finer one they have. */
const SENT: Readonly<Record<Granularity, Granularity>> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '30m': '15m',
  '1h': '1h',
  '1d': '1d',
}

const daysPerCall = (granularity: Granularity) => (CANDLES_PER_CALL * granularityMillis(SENT[granularity])) / DAY

const limits: ProviderLimits = {
  maxTickerBatch: 1,
  callsPerMinute: 480,
  history: {
    '1m': { daysPerCall: daysPerCall('1m') },
    '5m': { daysPerCall: daysPerCall('5m') },
    '15m': { daysPerCall: daysPerCall('15m') },
    '30m': { daysPerCall: daysPerCall('30m') },
    '1h': { daysPerCall: daysPerCall('1h') },
    '1d': { daysPerCall: daysPerCall('1d') },
  },
  supportedCategories: ['close', 'open', 'high', 'low', 'volume'],
  bulkMode: false,
}

const CATEGORIES = { open: 'open', high: 'high', low: 'low', close: 'close', volume: 'volume' }

export function coinbaseProvider(baseUrl: string, surroundings: HttpSurroundings): MarketDataProvider {
  const http = coinbaseHttp(baseUrl, surroundings)
  return {
    ...vendor,
    providerType: 'crypto',
    isCustom: false,
    requiresAuth: false,
    synthetic: false,
    limits,
    serves: ({ kind }) => kind === 'crypto',
    fetch: (request, signal) =>
      inBatches(vendor, oneByOne(request.tickers), signal, async ([ticker]) => [
        await fetchTicker(http, request, ticker!, surroundings.timing.now(), signal),
      ]),
  }
}

async function fetchTicker(
  http: CoinbaseHttp,
  request: FetchRequest,
  ticker: string,
  now: number,
  signal: AbortSignal,
): Promise<TickerResult> {
  const { granularity } = request
  const range = { from: Math.max(request.range.from, FIRST_DAY), to: Math.min(request.range.to, now) }
  const candles = await fetchCandles(http, ticker, granularity, range, signal)
  if (candles === 'unknown') return unknownTicker(vendor, ticker)
  if (candles.length === 0) return nothingInRange(vendor, ticker, request.range)
  const bronze = toBronze(ticker, SENT[granularity], candles, now)
  const unfinished = unfinishedFrom('crypto', bronze.granularity, now)!
  const rules = {
    ticker,
    type: 'crypto',
    categories: CATEGORIES,
    stamp: stampAsInstant,
    range,
    newestFirst: true,
  } as const
  const { silver, refused } = normalise(bronze, { ...rules, unfinishedFrom: unfinished })
  const isJoined = granularity !== bronze.granularity
  const finished = { from: range.from, to: unfinishedFrom('crypto', granularity, now)! }
  const bars = isJoined ? rowsInRange({ ...aggregateBars(silver, granularity, crypto), granularity }, finished) : silver
  return delivery(vendor, { bronze, silver: bars, refused }, request)
}

/** Newest first, as each answer is. */
async function fetchCandles(
  http: CoinbaseHttp,
  ticker: string,
  granularity: Granularity,
  range: TimeRange,
  signal: AbortSignal,
): Promise<CoinbaseCandle[] | 'unknown'> {
  const seconds = granularityMillis(SENT[granularity]) / SECOND
  const answers: CoinbaseCandle[][] = []
  for (const window of callWindows(range, daysPerCall(granularity))) {
    const candles = await http.candles(ticker, seconds, window, signal)
    if (!candles) return 'unknown'
    // Some candles before the start may come along.
    answers.push(candles.filter(([second]) => second * SECOND >= window.from && second * SECOND < window.to))
  }
  return answers.toReversed().flat()
}

const toBronze = (
  ticker: string,
  granularity: Granularity,
  candles: readonly CoinbaseCandle[],
  collectedAt: UtcMillis,
): SeriesBlock => ({
  ticker,
  granularity,
  provider: 'coinbase',
  type: 'crypto',
  currency: 'USD',
  collectedAt,
  timestamps: Float64Array.from(candles, ([second]) => second * SECOND),
  columns: {
    low: pluck(candles, (candle) => candle[1]),
    high: pluck(candles, (candle) => candle[2]),
    open: pluck(candles, (candle) => candle[3]),
    close: pluck(candles, (candle) => candle[4]),
    volume: pluck(candles, (candle) => candle[5]),
  },
})

interface CoinbaseHttp {
  /** At most 300 candles, newest first. Undefined when Coinbase does not know the product. */
  candles(
    product: string,
    seconds: number,
    range: TimeRange,
    signal: AbortSignal,
  ): Promise<CoinbaseCandle[] | undefined>
}

function coinbaseHttp(baseUrl: string, surroundings: HttpSurroundings): CoinbaseHttp {
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
