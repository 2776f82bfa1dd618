import { foreignExchangeSentence } from '@tradewright/core/exchange'
import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp, epochDayOf, SECOND, type TimeRange, dateOf, type UtcMillis } from '@tradewright/core/time'
import {
  aggregateBars,
  normalise,
  rowsInRange,
  stampAsInstant,
  type StampRule,
  stampAsNewYorkDay,
  stampAsUtcDay,
  stampAtOffset,
} from '@tradewright/engine/market/layers/rows'
import { calendarOf } from '@tradewright/engine/market/trading-calendar'
import {
  type CorporateActions,
  noActions,
  undoDividendSplits,
  undoSplits,
} from '@tradewright/engine/market/corporate-actions'
import type {
  FetchRequest,
  MarketDataProvider,
  ProviderLimits,
  TickerFacts,
  TickerResult,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { HttpSurroundings } from '../http/http-client.ts'
import {
  callWindows,
  missing,
  refusalByLimits,
  withinReach,
  delivery,
  nothingInRange,
  unknownTicker,
  inBatches,
  oneByOne,
  unfinishedFrom,
  columnOf,
  providerFailure,
} from '../market-data/delivery.ts'
import { type YahooHttp, yahooHttp, type YahooInterval, type YahooResult } from './http.ts'

const vendor = { id: 'yahoo', displayName: 'Yahoo Finance' }

const limits: ProviderLimits = {
  maxTickerBatch: 1,
  history: {
    '1m': { daysBack: 30, daysPerCall: 7 },
    '5m': { daysBack: 60 },
    '15m': { daysBack: 60 },
    '30m': { daysBack: 60 },
    '1h': { daysBack: 730 },
    '1d': {},
  },
  supportedCategories: ['close', 'open', 'high', 'low', 'volume', 'dividend', 'split'],
  bulkMode: false,
}

/** 30m is built from 15m: Yahoo is known to answer 30m with hours. */
const INTERVALS: Readonly<Record<Granularity, { interval: YahooInterval; sent: Granularity }>> = {
  '1m': { interval: '1m', sent: '1m' },
  '5m': { interval: '5m', sent: '5m' },
  '15m': { interval: '15m', sent: '15m' },
  '30m': { interval: '15m', sent: '15m' },
  '1h': { interval: '60m', sent: '1h' },
  '1d': { interval: '1d', sent: '1d' },
}

const SERVED: ReadonlySet<TickerKind> = new Set<TickerKind>(['security', 'index', 'currency', 'future', 'crypto'])

const CATEGORIES = { open: 'open', high: 'high', low: 'low', close: 'close', volume: 'volume' }

export function yahooProvider(baseUrl: string, surroundings: HttpSurroundings): MarketDataProvider {
  const http = yahooHttp(baseUrl, surroundings)
  return {
    ...vendor,
    providerType: 'equities',
    isCustom: false,
    requiresAuth: false,
    synthetic: false,
    limits,
    serves: ({ kind }) => SERVED.has(kind),
    fetch: (request, signal) =>
      inBatches(vendor, oneByOne(request.tickers), signal, async ([ticker]) => [
        await fetchTicker({ http, now: () => surroundings.timing.now(), signal }, request, ticker!),
      ]),
    lookUp: (ticker, signal) => lookUp({ http, now: () => surroundings.timing.now(), signal }, ticker),
  }
}

/** A short chart: its head has the first day of trading. */
async function lookUp({ http, now, signal }: Fetching, ticker: string): Promise<TickerFacts | undefined> {
  try {
    const result = await http.chart(yahooSymbol(ticker), '1d', { from: now() - 7 * DAY, to: now() }, signal)
    if (!result) return undefined
    const { firstTradeDate } = result.meta
    return { since: typeof firstTradeDate === 'number' ? epochDayOf(firstTradeDate * SECOND) : undefined }
  } catch (error) {
    signal.throwIfAborted()
    throw providerFailure(error, vendor, [ticker])
  }
}

interface Fetching {
  readonly http: YahooHttp
  readonly now: () => number
  readonly signal: AbortSignal
}

async function fetchTicker(fetching: Fetching, request: FetchRequest, ticker: string): Promise<TickerResult> {
  const { granularity, range } = request
  const now = fetching.now()
  const foreign = foreignExchangeSentence(ticker)
  if (foreign !== undefined) return missing(ticker, 'unknown-ticker', foreign)
  const refusal = refusalByLimits(vendor, limits, { ticker, granularity, range }, now)
  if (refusal) return refusal
  const parts = await fetchWindows(fetching, request, ticker)
  if (!parts) return unknownTicker(vendor, ticker)
  if (parts.length === 0) return nothingInRange(vendor, ticker, range)
  const bronze = toBronze(parts, { ticker, granularity: INTERVALS[granularity].sent, collectedAt: now })
  const results = parts.map(({ result }) => result)
  const later = await laterResults(fetching, range, ticker)
  const { silver, refused } = toSilver(bronze, request, ticker, results[0]!, now)
  const actions = toActions([...results, ...later], sessionDayStamp(results[0]!.meta))
  return delivery(
    vendor,
    {
      bronze,
      silver: undoSplits(silver, actions.splits),
      refused,
      actions: granularity === '1d' ? actionsWithin(actions, range) : noActions,
    },
    request,
  )
}

async function fetchWindows({ http, now, signal }: Fetching, { granularity, range }: FetchRequest, ticker: string) {
  const { daysBack, daysPerCall } = limits.history[granularity] ?? {}
  // A day more on either side: sessions east of Greenwich open on the UTC date before their own.
  const reach =
    granularity === '1d' ? { from: range.from - DAY, to: range.to + DAY } : withinReach(range, daysBack, now())
  const parts: { result: YahooResult; window: TimeRange }[] = []
  for (const window of callWindows(reach, daysPerCall)) {
    const result = await http.chart(yahooSymbol(ticker), INTERVALS[granularity].interval, window, signal)
    if (!result) return undefined
    parts.push({ result, window })
  }
  return parts
}

/**
 * Prices are adjusted for every split up to today, also for those after the range, which the answers for the range do
 * not mention.
 */
async function laterResults(
  { http, now, signal }: Fetching,
  { to }: TimeRange,
  ticker: string,
): Promise<YahooResult[]> {
  if (tickerKind(ticker) !== 'security' || to > dayStamp(epochDayOf(now()))) return []
  const result = await http.chart(yahooSymbol(ticker), '1d', { from: to, to: now() }, signal)
  return result ? [result] : []
}

function toSilver(
  bronze: SeriesBlock,
  { granularity, range }: FetchRequest,
  ticker: string,
  result: YahooResult,
  now: number,
) {
  const type = tickerKind(ticker)
  const unfinished = unfinishedFrom(type, bronze.granularity, now)
  const { silver, refused } = normalise(bronze, {
    ticker,
    type,
    categories: CATEGORIES,
    stamp: granularity === '1d' ? sessionDayStamp(result.meta) : stampAsInstant,
    range,
    ...(unfinished === undefined ? {} : { unfinishedFrom: unfinished }),
  })
  const calendar = calendarOf(type)
  if (granularity === bronze.granularity || !calendar) return { silver, refused }
  const joined = { ...aggregateBars(silver, granularity, calendar), granularity }
  return {
    silver: rowsInRange(joined, { from: range.from, to: unfinishedFrom(type, granularity, now) ?? range.to }),
    refused,
  }
}

function actionsWithin({ splits, dividends }: CorporateActions, { from, to }: TimeRange): CorporateActions {
  const isWithin = ({ exDay }: { exDay: number }) => dayStamp(exDay) >= from && dayStamp(exDay) < to
  return { splits: splits.filter(isWithin), dividends: undoDividendSplits(dividends, splits).filter(isWithin) }
}

/**
 * Daily rows are stamped with the opening in exchange time. Currencies open at midnight, where today's UTC offset would
 * put the days of the other half of the year on the wrong date, so the zone's own history is asked.
 */
function sessionDayStamp({ exchangeTimezoneName, gmtoffset }: YahooResult['meta']): StampRule {
  if (exchangeTimezoneName === 'America/New_York') return stampAsNewYorkDay
  if (!exchangeTimezoneName || exchangeTimezoneName === 'UTC')
    return gmtoffset === 0 ? stampAsUtcDay : stampAtOffset(gmtoffset)
  let format: Intl.DateTimeFormat
  try {
    // Swedish dates are written as ISO dates.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: exchangeTimezoneName, dateStyle: 'short' })
  } catch {
    return stampAtOffset(gmtoffset)
  }
  return (instant) => dayStamp(dateOf(format.format(instant)))
}

/** Yahoo writes class shares with a dash. Its own suffixes behind a dot are exchanges, none of which is A, B or C. */
const yahooSymbol = (ticker: string): string => ticker.replace(/^([A-Z]+)\.([ABC])$/, '$1-$2')

interface SentRows {
  readonly ticker: string
  readonly granularity: Granularity
  readonly collectedAt: UtcMillis
}

/** Answers of consecutive windows as one block in Yahoo's words; a row outside its own window is in another one. */
function toBronze(parts: readonly { result: YahooResult; window: TimeRange }[], sent: SentRows): SeriesBlock {
  const { meta } = parts[0]!.result
  const blocks = parts.map(({ result, window }) => windowRows(result, window))
  const names = ['open', 'high', 'low', 'close', 'volume', 'adjclose'] as const
  const columns = names.map((name) => [name, columnOf(blocks.flatMap((block) => block[name]))] as const)
  return {
    ticker: meta.symbol,
    granularity: sent.granularity,
    provider: 'yahoo',
    type: tickerKind(sent.ticker),
    currency: meta.currency ?? 'USD',
    collectedAt: sent.collectedAt,
    timestamps: Float64Array.from(blocks.flatMap((block) => block.instants)),
    columns: Object.fromEntries(columns.filter(([, column]) => column.some((value) => !Number.isNaN(value)))),
  }
}

function windowRows({ timestamp, indicators }: YahooResult, { from, to }: TimeRange) {
  const quote = indicators.quote[0] ?? {}
  const rows = timestamp.flatMap((second, row) => (second * SECOND >= from && second * SECOND < to ? [row] : []))
  const pick = (values: readonly (number | null)[] | undefined) => rows.map((row) => values?.[row] ?? null)
  return {
    instants: rows.map((row) => timestamp[row]! * SECOND),
    open: pick(quote.open),
    high: pick(quote.high),
    low: pick(quote.low),
    close: pick(quote.close),
    volume: pick(quote.volume),
    adjclose: pick(indicators.adjclose[0]?.adjclose),
  }
}

/** Dividends are per share of today; the caller turns them back together with the prices. */
function toActions(results: readonly YahooResult[], stamp: StampRule): CorporateActions {
  const dayOf = (second: number) => epochDayOf(stamp(second * SECOND))
  const splits = results.flatMap(({ events }) =>
    Object.values(events.splits)
      .filter(({ numerator, denominator }) => numerator > 0 && denominator > 0)
      .map(({ date, numerator, denominator }) => ({ exDay: dayOf(date), ratio: numerator / denominator })),
  )
  const dividends = results.flatMap(({ events }) =>
    Object.values(events.dividends)
      .filter(({ amount }) => amount > 0)
      .map(({ date, amount }) => ({ exDay: dayOf(date), amount })),
  )
  return { splits: oncePerDay(splits), dividends: oncePerDay(dividends) }
}

/** Windows that touch may both tell of an event at their border. */
function oncePerDay<Action extends { readonly exDay: number }>(actions: readonly Action[]): Action[] {
  return [...new Map(actions.map((action) => [action.exDay, action])).values()].sort((a, b) => a.exDay - b.exDay)
}
