import type { Category } from '@tradewright/core/category'
import { DAY, type TimeRange, type UtcMillis, dayStamp, epochDayOf } from '@tradewright/core/time'
import { type Delivery, ingest, type IngestCounts } from '@tradewright/engine/market/layers/ingest'
import { recordCount } from '@tradewright/engine/market/layers/rows'
import type { FetchRequest, MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { barKnownAt, barStamps, calendarOf } from '@tradewright/engine/market/trading-calendar'
import type { OpenStore } from '../stores/data-store.ts'

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
  onFetched?(ticker: string, records: number, isPart: boolean, result: TickerResult): void
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
      listener.onFetched?.(result.ticker, fetched, isPart(result), result)
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

/** A series in one store as one provider delivers it. */
interface CoveredSeries {
  readonly ticker: string
  readonly provider: string
  /** Ascending, apart from each other. */
  readonly ranges: readonly TimeRange[]
}

/**
 * Records which ranges have been asked for and answered, so that a range without rows is not asked for again and again.
 */
export interface CoverageStore {
  find(storeId: number, tickers: readonly string[], granularity: Granularity): Promise<CoveredSeries[]>
  add(storeId: number, provider: string, granularity: Granularity, covered: readonly Covered[]): Promise<void>
  /** Everything of the store, after its data were cleared. */
  forget(storeId: number): Promise<void>
}

export interface Covered {
  readonly ticker: string
  readonly range: TimeRange
}

/** The parts of a range that none of the others holds. */
export function missingRanges({ from, to }: TimeRange, covered: readonly TimeRange[]): TimeRange[] {
  const missing: TimeRange[] = []
  let start = from
  for (const range of covered.toSorted((a, b) => a.from - b.from)) {
    if (range.to <= start) continue
    if (range.from >= to) break
    if (range.from > start) missing.push({ from: start, to: range.from })
    start = range.to
  }
  if (start < to) missing.push({ from: start, to })
  return missing
}

/** Economic observations have one granularity, whatever the run's is. */
export const storedGranularity = (symbol: string, granularity: Granularity): Granularity =>
  tickerKind(symbol) === 'economic' ? '1d' : granularity

/** The range without the bars that cannot be known yet. */
export function knowableRange(symbol: string, granularity: Granularity, range: TimeRange, now: UtcMillis): TimeRange {
  const calendar = calendarOf(tickerKind(symbol))
  if (!calendar) return { from: range.from, to: Math.min(range.to, dayStamp(epochDayOf(now) + 1)) }
  if (granularity !== '1d') return { from: range.from, to: Math.min(range.to, now) }
  let day = epochDayOf(now) - 1
  while (barKnownAt(calendar, dayStamp(day), '1d') <= now) day++
  return { from: range.from, to: Math.min(range.to, dayStamp(day)) }
}

/** Whether the calendar expects a row in the range: a weekend is no gap. */
export function expectsRows(symbol: string, granularity: Granularity, range: TimeRange): boolean {
  const calendar = calendarOf(tickerKind(symbol))
  if (!calendar) return true
  const { from, to } = range
  const sessions = calendar.sessionsBetween(epochDayOf(from), epochDayOf(to - 1) + 1)
  // Any five sessions in a row have a bar between them; only the days at both ends need a check.
  if (to - from > 15 * DAY) return sessions.length > 0
  return sessions
    .values()
    .some((day) => barStamps(calendar, day, granularity).some((stamp) => stamp >= from && stamp < to))
}
