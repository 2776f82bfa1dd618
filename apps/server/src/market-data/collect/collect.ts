import type { Category } from '@tradewright/core/category'
import { DAY, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { type Delivery, ingest, type IngestCounts } from '@tradewright/engine/market/layers/ingest'
import { recordCount } from '@tradewright/engine/market/layers/rows'
import type { FetchRequest, MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { OpenStore } from '../stores/ports.ts'
import type { Covered, CoverageStore } from './coverage.ts'

export interface CollectDeps {
  readonly coverage: CoverageStore
  readonly now: () => UtcMillis
}

/** The outcome of one ticker, told after it has been stored. */
interface TickerOutcome {
  readonly ticker: string
  readonly result: TickerResult
}

interface CollectListener {
  /** Called as results arrive, before they are stored. `isPart`: more of the ticker follows. */
  onFetched?(ticker: string, records: number, isPart: boolean): void
  /** Called for each part that was stored. */
  onStored?(counts: IngestCounts): void
  onOutcome(outcome: TickerOutcome): void
}

/** Records per write: one write of a store rewrites whole files. */
const RECORDS_PER_WRITE = 200_000

/** A bar that did not come may still come within these days; older ones are taken to be all there is. */
const LATE_DAYS = 5

/**
 * Asks a provider and carries what it sends through the three layers. Whatever had arrived when a fetch fails or is
 * aborted is stored before the failure is passed on.
 */
export async function collect(
  deps: CollectDeps,
  store: OpenStore,
  provider: MarketDataProvider,
  request: FetchRequest,
  signal: AbortSignal,
  listener: CollectListener,
): Promise<void> {
  let waiting: TickerResult[] = []
  let records = 0
  const newest = new NewestStamps()
  const flush = async () => {
    const results = waiting
    waiting = []
    records = 0
    await storeResults(deps, store, provider, request, { results, newest }, listener)
  }
  try {
    for await (const result of provider.fetch(request, signal)) {
      const fetched = recordsOf(result)
      listener.onFetched?.(result.ticker, fetched, isPart(result))
      waiting.push(result)
      records += fetched
      if (records >= RECORDS_PER_WRITE) await flush()
    }
  } finally {
    await flush()
  }
}

const isPart = (result: TickerResult): boolean => result.outcome === 'delivered' && result.isPart === true

/** The last stamp of each ticker, over all its parts. */
class NewestStamps {
  readonly #stamps = new Map<string, UtcMillis>()

  note(deliveries: readonly Delivery[]): void {
    for (const { ticker, silver } of deliveries) {
      const last = silver.timestamps.at(-1)
      if (last !== undefined) this.#stamps.set(ticker, Math.max(last, this.of(ticker) ?? last))
    }
  }

  of(ticker: string): UtcMillis | undefined {
    return this.#stamps.get(ticker)
  }
}

function recordsOf(result: TickerResult): number {
  if (result.outcome !== 'delivered') return 0
  const { silver, actions } = result
  return recordCount(silver) + actions.splits.length + actions.dividends.length
}

async function storeResults(
  { coverage, now }: CollectDeps,
  store: OpenStore,
  provider: MarketDataProvider,
  { granularity, range, categories }: FetchRequest,
  { results, newest }: { results: readonly TickerResult[]; newest: NewestStamps },
  listener: CollectListener,
): Promise<void> {
  const deliveries = results.filter((result): result is Delivery => result.outcome === 'delivered')
  if (deliveries.length > 0) {
    const counts = await ingest(store.series, deliveries, { isSynthetic: (id) => id === SAMPLE_PROVIDER_ID })
    listener.onStored?.(counts)
  }
  newest.note(deliveries)
  const ends = results.filter((result) => !isPart(result))
  if (isWhole(provider, categories)) {
    const covered = ends.flatMap((result) => coveredBy(result, newest.of(result.ticker), range, now()))
    await coverage.add(store.id, provider.id, granularity, covered)
  }
  for (const result of ends) listener.onOutcome({ ticker: result.ticker, result })
}

/** A job that asked for closes only has not covered the series: a backtest also needs its opens and dividends. */
function isWhole({ limits }: MarketDataProvider, categories: readonly Category[]): boolean {
  return limits.supportedCategories.every((category) => categories.includes(category))
}

function coveredBy(result: TickerResult, last: UtcMillis | undefined, range: TimeRange, now: UtcMillis): Covered[] {
  const { ticker } = result
  if (result.outcome === 'missing') {
    const isAnswered = result.reason === 'no-data-in-range'
    return isAnswered ? [{ ticker, range: { from: range.from, to: Math.min(range.to, now - LATE_DAYS * DAY) } }] : []
  }
  if (result.outcome === 'failed') return []
  const settled = Math.max((last ?? range.from) + 1, now - LATE_DAYS * DAY)
  return [{ ticker, range: { from: range.from, to: Math.min(range.to, settled) } }]
}
