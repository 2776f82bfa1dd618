import type { Clock } from '@tradewright/core/clock'
import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { parseTicker } from '@tradewright/core/ticker'
import { dayStamp, type EpochDay, epochDayOf, type TimeRange } from '@tradewright/core/time'
import { type RevisedValues, revisedValues, revisionNotes } from '@tradewright/engine/backtest/revised-values'
import { type LeadingIndicators, warmUpDays } from '@tradewright/engine/optimizer/leading-indicators'
import { tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { actionCategories, barCategories, observationCategory, releaseCategories } from '@tradewright/core/category'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { sampleTickers } from '@tradewright/engine/market/sample/sample-market'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { SeriesChoice } from './find-task.ts'
import { tickerName } from '../tickers/catalogue.ts'
import type { ProvidersOf } from '../market-data/providers.ts'
import type { OpenStores } from '../market-data/stores/data-store.ts'

export interface CorrelationDeps extends DailySeriesDeps {
  readonly compute: Pick<ComputePool<typeof tasks>, 'run'>
  readonly clock: Clock
}

export interface CorrelationQuery {
  readonly ticker: string
  readonly minCorrelation: number
  readonly periodDays: number
  readonly limit: number
  /** Undefined: all of the usual ones. */
  readonly lagDays: number | undefined
}

interface FoundCorrelations extends LeadingIndicators {
  readonly ticker: string
  /** Number of pairs tested, those below the threshold included. */
  readonly tested: number
  readonly synthetic: boolean
  /** What is known of revisions of the economic series among the indicators. */
  readonly revised: readonly RevisedValues[]
  readonly notes: readonly string[]
}

const usualLags: readonly number[] = [1, 2, 3, 5, 10]

/** Series that lead the ticker's returns, from stored data; where it has none, in the sample market, saying so. */
export async function findCorrelations(
  deps: CorrelationDeps,
  userId: number,
  query: CorrelationQuery,
  signal: AbortSignal,
): Promise<FoundCorrelations> {
  refuseForeignExchanges([query.ticker])
  const ticker = parseTicker(query.ticker).symbol
  const lags = query.lagDays === undefined ? usualLags : [query.lagDays]
  const stored = await storedTickers(deps, userId)
  const last = stored.get(ticker)
  const isReal = last !== undefined
  const to: EpochDay = epochDayOf(last ?? deps.clock.now().getTime())
  const from = to - query.periodDays
  const range = { from: dayStamp(from - warmUpDays(Math.max(...lags))), to: dayStamp(to + 1) }
  // Real and made-up series are never compared: what they had in common would be nothing but chance.
  const series: SeriesChoice = isReal
    ? { from: 'store', tables: await readStored(deps, userId, [...stored.keys()], range) }
    : { from: 'sample', tickers: await synthetic(deps, userId, ticker), range, now: deps.clock.now().getTime() }
  const request = { ticker, from, to, lags }
  const found = await deps.compute.run(
    'leading-indicators/find',
    { request, series },
    { owner: String(userId), signal },
  )
  const strong = found.indicators.filter(({ correlation }) => Math.abs(correlation) >= query.minCorrelation)
  const indicators = strong.slice(0, query.limit)
  const shown = new Set(indicators.map((indicator) => indicator.ticker))
  const tables = series.from === 'store' ? series.tables.filter((table) => shown.has(table.ticker)) : []
  const revised = revisedValues(tables, range.to)
  return {
    ticker,
    period: found.period,
    indicators,
    tested: found.indicators.length,
    synthetic: !isReal,
    revised,
    notes: [...notesOf(series), ...revisionNotes(revised)],
  }
}

/** Nothing, where the sample market is off. */
async function synthetic(deps: DailySeriesDeps, userId: number, ticker: string): Promise<string[]> {
  const known = await syntheticTickers(deps, userId)
  return known.length === 0 ? [] : [...new Set([ticker, ...known])]
}

function notesOf(series: SeriesChoice): string[] {
  if (series.from === 'sample') {
    return ['These series are synthetic: no data for this ticker is stored. Collect real data with the Data Collector.']
  }
  if (series.tables.length > 1) return []
  return ['No other daily series is stored to compare with. Collect some with the Data Collector.']
}

/** In the order in which they are shown. */
const CATEGORIES: readonly (readonly [name: string, kinds: readonly TickerKind[]])[] = [
  ['Stocks & ETFs', ['security']],
  ['Crypto', ['crypto']],
  ['Indices, currencies & futures', ['index', 'currency', 'future']],
  ['Economic', ['economic']],
  ['Crypto derivatives', ['funding_rate', 'open_interest', 'long_short_ratio', 'liquidations']],
]

interface NamedTicker {
  readonly ticker: string
  readonly name: string
}

/** Tickers for analysis: those the user has collected, and the sample market where it is on. */
export async function availableTickers(deps: DailySeriesDeps, userId: number): Promise<Map<string, NamedTicker[]>> {
  const [stored, synthetic] = await Promise.all([storedTickers(deps, userId), syntheticTickers(deps, userId)])
  const all = [...new Set([...stored.keys(), ...synthetic])].sort()
  const grouped = CATEGORIES.map(([name, kinds]) => {
    const own = all.filter((ticker) => kinds.includes(tickerKind(ticker)))
    return [name, own.map((ticker) => ({ ticker, name: tickerName(ticker) }))] as const
  })
  return new Map(grouped.filter(([, tickers]) => tickers.length > 0))
}

interface DailySeriesDeps {
  readonly stores: OpenStores
  readonly providersOf: ProvidersOf
}

const SERIES_CATEGORIES = [...barCategories, ...actionCategories, observationCategory, ...releaseCategories]

/** Daily series that a user's default store has, real ones only: made-up rows are made up anew where they are wanted. */
async function storedTickers({ stores }: DailySeriesDeps, userId: number): Promise<Map<string, number>> {
  const { series } = await stores.defaultOf(userId)
  const summaries = await series.summaries({ layer: 'gold', granularities: ['1d'] })
  const newest = new Map<string, number>()
  for (const { ticker, provider, last } of summaries) {
    if (provider !== SAMPLE_PROVIDER_ID) newest.set(ticker, Math.max(last, newest.get(ticker) ?? last))
  }
  return newest
}

async function readStored(
  { stores }: DailySeriesDeps,
  userId: number,
  tickers: readonly string[],
  range: TimeRange,
): Promise<SeriesTable[]> {
  const { series } = await stores.defaultOf(userId)
  const tables = await series.read({ layer: 'gold', tickers, granularity: '1d', range, categories: SERIES_CATEGORIES })
  return tables.filter(({ sources }) => sources.every(({ provider }) => provider !== SAMPLE_PROVIDER_ID))
}

/** Tickers of the sample market, where it is on. */
async function syntheticTickers({ providersOf }: DailySeriesDeps, userId: number): Promise<readonly string[]> {
  return (await providersOf(userId)).some(({ synthetic }) => synthetic) ? sampleTickers : []
}
