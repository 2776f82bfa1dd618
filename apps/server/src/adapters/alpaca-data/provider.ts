import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { MINUTE, epochDayOf } from '@tradewright/core/time'
import {
  aggregateBars,
  normalise,
  rowsInRange,
  takeRows,
  stampAsInstant,
  stampAsNewYorkDay,
  stampAsUtcDay,
} from '@tradewright/engine/market/layers/rows'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { HttpFailure } from '../http/http-failure.ts'
import type { HttpSurroundings } from '../http/http-client.ts'
import {
  delivery,
  nothingInRange,
  unknownTicker,
  batchesOf,
  inBatches,
  unfinishedFrom,
  providerFailure,
} from '../market-data/delivery.ts'
import type { AlpacaKeys } from '../alpaca/http.ts'
import { type AlpacaDataHttp, alpacaDataHttp, type AlpacaActions, type AlpacaBar } from './http.ts'
import { alpacaSymbol, ourCategories, toActions, toBronze, toListedActions } from './mapping.ts'

const vendor = { id: 'alpaca', displayName: 'Alpaca' }

const limits: ProviderLimits = {
  maxTickerBatch: 100,
  callsPerMinute: 200,
  history: { '1m': {}, '5m': {}, '15m': {}, '30m': {}, '1h': {}, '1d': {} },
  supportedCategories: ['close', 'open', 'high', 'low', 'volume', 'dividend', 'split'],
  bulkMode: true,
}

const TIMEFRAMES: Readonly<Record<Granularity, string>> = {
  '1m': '1Min',
  '5m': '5Min',
  '15m': '15Min',
  '30m': '30Min',
  '1h': '1Hour',
  '1d': '1Day',
}

/** The free plan refuses consolidated data of the last quarter of an hour. */
const DELAY = 16 * MINUTE

/** Hours of a stock are built from half hours: Alpaca cuts them at full hours, the session opens at half past nine. */
const sentGranularity = (granularity: Granularity, isCrypto: boolean): Granularity =>
  granularity === '1h' && !isCrypto ? '30m' : granularity

/** Bars under one user's own keys. */
export function alpacaDataProvider(
  baseUrl: string,
  keys: AlpacaKeys,
  surroundings: HttpSurroundings,
): MarketDataProvider {
  const http = alpacaDataHttp(baseUrl, keys, surroundings)
  return {
    ...vendor,
    providerType: 'equities',
    isCustom: false,
    requiresAuth: true,
    synthetic: false,
    limits,
    serves: ({ kind }) => kind === 'security' || kind === 'crypto',
    fetch(request, signal) {
      const batches = [...Map.groupBy(request.tickers, tickerKind).values()].flatMap((tickers) =>
        batchesOf(tickers, limits.maxTickerBatch),
      )
      const fetching = { http, signal, now: () => surroundings.timing.now() }
      return inBatches(vendor, batches, signal, (tickers) => fetchBatch(fetching, request, tickers))
    },
    listedActions: async (tickers, days, signal) => {
      const stocks = tickers.filter((ticker) => tickerKind(ticker) === 'security')
      if (stocks.length === 0) return []
      const symbols = stocks.map((ticker) => alpacaSymbol(ticker, 'security'))
      try {
        return toListedActions(await http.holdingActions(symbols, days, signal))
      } catch (error) {
        signal.throwIfAborted()
        throw providerFailure(error, vendor, stocks)
      }
    },
  }
}

interface Fetching {
  readonly http: AlpacaDataHttp
  readonly signal: AbortSignal
  readonly now: () => number
}

/** One symbol that it calls invalid makes Alpaca refuse all of them, so these are then asked for one by one. */
async function fetchBatch(
  fetching: Fetching,
  request: FetchRequest,
  tickers: readonly string[],
): Promise<TickerResult[]> {
  try {
    return await fetchTickers(fetching, request, tickers)
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.kind !== 'bad-request' || !/invalid symbol/i.test(error.body))
      throw error
    if (tickers.length === 1) return [unknownTicker(vendor, tickers[0]!)]
    const results: TickerResult[] = []
    for (const ticker of tickers) results.push(...(await fetchBatch(fetching, request, [ticker])))
    return results
  }
}

async function fetchTickers(
  { http, signal, now }: Fetching,
  request: FetchRequest,
  tickers: readonly string[],
): Promise<TickerResult[]> {
  const kind = tickerKind(tickers[0]!)
  const isCrypto = kind === 'crypto'
  const collectedAt = now()
  const range = {
    from: request.range.from,
    to: Math.min(request.range.to, isCrypto ? collectedAt : collectedAt - DELAY),
  }
  if (range.from >= range.to) return tickers.map((ticker) => nothingInRange(vendor, ticker, request.range))
  const granularity = sentGranularity(request.granularity, isCrypto)
  const symbols = tickers.map((ticker) => alpacaSymbol(ticker, kind))
  const bars = await http.bars(isCrypto ? 'crypto' : 'stocks', symbols, TIMEFRAMES[granularity], range, signal)
  const hasActions = !isCrypto && request.granularity === '1d' && bars.size > 0
  const actions = hasActions ? await http.corporateActions(symbols, range, signal) : undefined
  return tickers.map((ticker, i) => {
    const sent = bars.get(symbols[i]!) ?? []
    if (sent.length === 0) return nothingInRange(vendor, ticker, request.range)
    return toResult({ request, ticker, symbol: symbols[i]!, sent, granularity, actions, now: collectedAt })
  })
}

interface Sent {
  readonly request: FetchRequest
  readonly ticker: string
  readonly symbol: string
  readonly sent: readonly AlpacaBar[]
  readonly granularity: Granularity
  readonly actions: AlpacaActions | undefined
  readonly now: number
}

function toResult({ request, ticker, symbol, sent, granularity, actions, now }: Sent): TickerResult {
  const type = tickerKind(ticker)
  const bronze = toBronze(sent, { symbol, kind: type, granularity, collectedAt: now })
  const dailyStamp = type === 'crypto' ? stampAsUtcDay : stampAsNewYorkDay
  const { silver, refused } = normalise(bronze, {
    ticker,
    type,
    categories: ourCategories,
    stamp: granularity === '1d' ? dailyStamp : stampAsInstant,
    range: request.range,
    unfinishedFrom: unfinishedFrom(type, granularity, now)!,
  })
  const bars = type === 'crypto' || granularity === '1d' ? silver : sessionBars(silver, request, now)
  return delivery(
    vendor,
    { bronze, silver: bars, refused, ...(actions ? { actions: toActions(actions, symbol, request.range) } : {}) },
    request,
  )
}

function sessionBars(silver: SeriesBlock, { granularity, range }: FetchRequest, now: number): SeriesBlock {
  const session = regularHours(silver)
  if (granularity === silver.granularity) return session
  return rowsInRange(
    { ...aggregateBars(session, granularity, nyse), granularity },
    {
      from: range.from,
      to: unfinishedFrom('security', granularity, now)!,
    },
  )
}

/** Alpaca's bars reach from early morning into the evening; those of other providers end with the session. */
function regularHours(block: SeriesBlock): SeriesBlock {
  const rows: number[] = []
  block.timestamps.forEach((stamp, row) => {
    const day = epochDayOf(stamp)
    if (nyse.isSession(day) && stamp >= nyse.openOf(day) && stamp < nyse.closeOf(day)) rows.push(row)
  })
  return takeRows(block, rows)
}
