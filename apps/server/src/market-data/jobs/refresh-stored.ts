import { Problem, sentenceFor } from '@tradewright/core/problem'
import { DAY, dayStamp, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { type MarketDataProvider, ProviderFailure } from '@tradewright/engine/market/provider'
import type { SeriesSummary } from '@tradewright/engine/market/series-store'
import type { JobContext } from '../../jobs/job-kind.ts'
import { collect, type CollectDeps } from '../collect/collect.ts'
import { expectsRows, knowableRange } from '../collect/expected-rows.ts'
import type { ProvidersOf } from '../providers.ts'
import type { DataStoreRows, OpenStore, OpenStores } from '../stores/ports.ts'
import type { RunCounts } from './run-counts.ts'
import { shownShortfalls } from './run-message.ts'

export interface RefreshDeps extends CollectDeps {
  readonly stores: OpenStores
  readonly storeRows: DataStoreRows
  readonly providersOf: ProvidersOf
}

/** Fetched again before the newest row: providers correct their last days, statistics their last quarter. */
const OVERLAP_DAYS = { price: 7, economic: 100 }

/** A series without a row for so long has ended, or was wanted for an earlier period. */
const ENDED_AFTER_DAYS = 400

type Context = Pick<JobContext<unknown>, 'userId' | 'signal' | 'reportProgress'>

/**
 * Fetches what is new of every series that the user's stores hold, from the provider it came from. A provider or a store
 * that fails is told and passed over: what is stored stays as it is.
 */
export async function refreshStored(deps: RefreshDeps, context: Context, counts: RunCounts): Promise<void> {
  const { userId, signal } = context
  const providers = new Map((await deps.providersOf(userId)).map((provider) => [provider.id, provider]))
  const portions = await portionsOf(deps, userId, providers, counts)
  const seriesCount = portions.reduce((sum, { tickers }) => sum + tickers.length, 0)
  let done = 0
  for (const portion of portions) {
    signal.throwIfAborted()
    const onTicker = (ticker: string) =>
      context.reportProgress({
        fraction: ++done / seriesCount,
        note: `${counts.fetched.toLocaleString('en-US')} records, ${ticker}`,
      })
    await refreshPortion(deps, portion, counts, signal, onTicker)
  }
  if (counts.delivered === 0 && counts.shortfalls.length > 0) {
    throw new Problem('upstream', 'collection.nothing', shownShortfalls(counts.shortfalls).join(' '))
  }
}

/** Series of one store that one request can ask for. */
interface Portion {
  readonly store: OpenStore
  readonly provider: MarketDataProvider
  readonly granularity: SeriesSummary['granularity']
  readonly from: UtcMillis
  readonly tickers: readonly string[]
}

async function portionsOf(
  deps: RefreshDeps,
  userId: number,
  providers: ReadonlyMap<string, MarketDataProvider>,
  counts: RunCounts,
): Promise<Portion[]> {
  const portions: Portion[] = []
  for (const { id, name } of await deps.storeRows.list(userId)) {
    try {
      const store = await deps.stores.find(userId, id)
      const stored = await store.series.summaries({ layer: 'silver' })
      // Imported and computed series have no provider to ask.
      const wanted = stored.filter((series) => providers.has(series.provider) && mayHaveNews(series, deps.now()))
      const groups = Map.groupBy(wanted, (one) => `${one.provider} ${one.granularity} ${startOf(one)}`)
      for (const group of groups.values()) {
        const { provider, granularity } = group[0]!
        const tickers = group.map(({ ticker }) => ticker)
        portions.push({ store, provider: providers.get(provider)!, granularity, from: startOf(group[0]!), tickers })
      }
    } catch (error) {
      counts.shortfalls.push(`The store "${name}" could not be read: ${sentenceFor(error)}`)
    }
  }
  return portions
}

function mayHaveNews({ ticker, granularity, last }: SeriesSummary, now: UtcMillis): boolean {
  if (last < now - ENDED_AFTER_DAYS * DAY) return false
  const unseen = knowableRange(ticker, granularity, { from: last + 1, to: now }, now)
  return unseen.from < unseen.to && expectsRows(ticker, granularity, unseen)
}

const startOf = ({ type, last }: SeriesSummary): UtcMillis =>
  dayStamp(epochDayOf(last) - (type === 'economic' ? OVERLAP_DAYS.economic : OVERLAP_DAYS.price))

async function refreshPortion(
  deps: RefreshDeps,
  { store, provider, granularity, from, tickers }: Portion,
  counts: RunCounts,
  signal: AbortSignal,
  onTicker: (ticker: string) => void,
): Promise<void> {
  const range = { from, to: dayStamp(epochDayOf(deps.now()) + 1) }
  const request = { tickers, granularity, range, categories: provider.limits.supportedCategories }
  try {
    await collect(deps, store, provider, request, signal, {
      onFetched(ticker, records, isPart) {
        counts.fetched += records
        if (!isPart) onTicker(ticker)
      },
      onStored: (stored) => counts.addStored(stored),
      onOutcome({ result }) {
        if (result.outcome === 'delivered') counts.delivered++
        if (result.outcome === 'failed') counts.shortfalls.push(result.failure.message)
      },
    })
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    counts.shortfalls.push(error.message)
  }
}
