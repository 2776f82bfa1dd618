import type { Category } from '@tradewright/core/category'
import type { Clock } from '@tradewright/core/clock'
import { granularities, type Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { lowerBound } from '@tradewright/core/column'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { CorporateActions } from '../corporate-actions.ts'
import { knownAtOf } from '../known-at.ts'
import { pickCategories, type Rows, sliceRows } from '../layers/rows.ts'
import type { FetchRequest, MarketDataProvider, TickerResult } from '../provider.ts'
import type { SeriesBlock } from '../series.ts'
import { type SampleMarket, sampleMarket, sampleTickers } from './sample-market.ts'

export const SAMPLE_PROVIDER_ID = 'sample'

const KNOWN: ReadonlySet<string> = new Set(sampleTickers)

/** The built-in synthetic market as a provider: no key, no network, no limit, and never to pass for real. */
export function sampleProvider(clock: Clock, market: SampleMarket = sampleMarket()): MarketDataProvider {
  return {
    id: SAMPLE_PROVIDER_ID,
    displayName: 'Sample market (synthetic)',
    providerType: 'synthetic',
    isCustom: false,
    requiresAuth: false,
    synthetic: true,
    limits: {
      maxTickerBatch: 100,
      history: Object.fromEntries(granularities.map((granularity) => [granularity, {}])),
      supportedCategories: ['close', 'open', 'high', 'low', 'volume', 'dividend', 'split', 'value'],
      bulkMode: true,
    },
    serves: ({ symbol }) => KNOWN.has(symbol) || market.series(symbol, '1d', { from: 0, to: 0 }) !== undefined,
    fetch: (request, signal) => results(market, clock, request, signal),
  }
}

async function* results(market: SampleMarket, clock: Clock, request: FetchRequest, signal: AbortSignal) {
  for (const ticker of request.tickers) {
    signal.throwIfAborted()
    yield sampleResult(market, ticker, request, clock.now().getTime())
  }
}

/** The market's data of one ticker at this instant. Plain data, the same wherever it is computed. */
export function sampleResult(
  market: SampleMarket,
  ticker: string,
  request: FetchRequest,
  now: UtcMillis,
): TickerResult {
  const { granularity, range } = request
  const series = market.series(ticker, granularity, range)
  if (!series) return missing(market, ticker, granularity)
  const { actions, ...rows } = series
  const block = finishedRows(blockOf(ticker, granularity, rows, now), now)
  if (block.timestamps.length === 0) {
    const message = `The sample market has no rows of ${ticker} in the requested range.`
    return { outcome: 'missing', ticker, reason: 'no-data-in-range', message }
  }
  const asked = pickCategories(block, withMain(request.categories, block))
  return {
    outcome: 'delivered',
    ticker,
    bronze: asked,
    silver: asked,
    actions: actionsWithin(actions, block),
    refused: [],
  }
}

function missing(market: SampleMarket, ticker: string, granularity: Granularity): TickerResult {
  const isKnown = market.series(ticker, '1d', { from: 0, to: 0 }) !== undefined
  return isKnown
    ? {
        outcome: 'missing',
        ticker,
        reason: 'granularity-not-served',
        message: `${ticker} is an economic series, which has no ${granularity} rows.`,
      }
    : { outcome: 'missing', ticker, reason: 'unknown-ticker', message: `The sample market has no ticker ${ticker}.` }
}

const blockOf = (ticker: string, granularity: Granularity, rows: Rows, now: UtcMillis): SeriesBlock => ({
  ticker,
  granularity,
  provider: SAMPLE_PROVIDER_ID,
  type: tickerKind(ticker),
  currency: 'USD',
  collectedAt: now,
  ...rows,
})

/** Rows that are not known yet have not happened yet. */
function finishedRows(block: SeriesBlock, now: UtcMillis): SeriesBlock {
  return sliceRows(block, 0, lowerBound(knownAtOf(block), now + 1))
}

/** A job that asks a series for nothing it has gets what it has: observations have no close. */
function withMain(categories: readonly Category[], { columns }: SeriesBlock): readonly Category[] {
  const all = Object.keys(columns)
  return categories.some((category) => columns[category]) ? categories : all
}

function actionsWithin({ splits, dividends }: CorporateActions, { timestamps }: SeriesBlock): CorporateActions {
  const [from, to] = [epochDayOf(timestamps[0]!), epochDayOf(timestamps.at(-1)!)]
  const isInside = ({ exDay }: { exDay: number }) => exDay >= from && exDay <= to
  return { splits: splits.filter(isInside), dividends: dividends.filter(isInside) }
}
