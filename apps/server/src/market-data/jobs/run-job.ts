import type { Clock } from '@tradewright/core/clock'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { z } from 'zod'
import { type UtcMillis, DAY, dayStamp, epochDayOf } from '@tradewright/core/time'
import { ingest, type IngestCounts } from '@tradewright/engine/market/layers/ingest'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import {
  refuseImpossibleRows,
  recordCount,
  addLeftOut,
  type LeftOut,
  leftOutSentence,
} from '@tradewright/engine/market/layers/rows'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { type SeriesBlock, type SeriesTable, layers, type Layer } from '@tradewright/engine/market/series'
import {
  applyTransform,
  findStarterTransform,
  type StarterTransform,
} from '@tradewright/engine/transforms/starter-transforms'
import { addCounts, noWrites } from '@tradewright/engine/market/layers/upsert'
import type { WriteCounts, SeriesSummary } from '@tradewright/engine/market/series-store'
import { type MarketDataProvider, ProviderFailure } from '@tradewright/engine/market/provider'
import { defineJobKind, type JobContext, StopReason } from '../../jobs/job.ts'
import { collect, type CollectDeps, expectsRows, knowableRange } from '../collect/collect.ts'
import { findProvider, type ProvidersOf } from '../providers.ts'
import { AUTO_PROVIDER, AUTO_PROVIDER_NAME } from '../series-for.ts'
import type { OpenStore, DataStoreRows, OpenStores } from '../stores/data-store.ts'
import {
  jobMissing,
  type CollectionJob,
  type LayerCounts,
  type CollectionJobStore,
  type CollectionRunStore,
  type JobWithStanding,
  type RunOutcome,
  rangeOfRun,
  checkReady,
} from './collection-job.ts'

/** Computed columns are stored under this provider, beside the series they were computed from. */
const TRANSFORM_PROVIDER = 'transform'

/** Computes a starter transform on what the store holds and stores its columns as categories. */
async function runTransform(
  { now }: { now: () => UtcMillis },
  store: OpenStore,
  job: CollectionJob,
  counts: RunCounts,
  signal: AbortSignal,
): Promise<void> {
  const transform = findStarterTransform(String(job.transformConfig?.['starter_transform']))
  if (!transform)
    throw new Problem('invalid', 'collection.transform', 'The starter transform of this job is not known.')
  const { tickers, granularity, dates } = job
  const range = rangeOfRun(dates, now())
  const tables = await store.series.read({ layer: 'gold', tickers, granularity, range, categories: [] })
  if (tables.length === 0)
    throw new Problem('missing', 'collection.no-data', 'The store has no data for these tickers.')
  const blocks = tables.flatMap((table) => computedBlock(transform, table, tables, now()))
  counts.fetched = blocks.reduce((sum, block) => sum + recordCount(block), 0)
  const deliveries = blocks.map((block) => ({
    outcome: 'delivered' as const,
    ticker: block.ticker,
    bronze: block,
    silver: block,
    actions: noActions,
    refused: [],
  }))
  signal.throwIfAborted()
  counts.addStored(await ingest(store.series, deliveries, { isSynthetic: (id) => id === SAMPLE_PROVIDER_ID }))
  counts.delivered = deliveries.length
}

/** Made-up data stay made up: what is computed from them keeps the sample market's name. */
function computedBlock(
  transform: StarterTransform,
  table: SeriesTable,
  all: readonly SeriesTable[],
  collectedAt: UtcMillis,
): SeriesBlock[] {
  if (!transform.requiredCategories.every((category) => table.columns[category])) return []
  const isSynthetic = table.sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID)
  const others = all.filter(({ ticker }) => ticker === 'SPY' && ticker !== table.ticker)
  const result = applyTransform(transform, [table, ...others])
  const names = new Set(transform.computedColumns.map(({ name }) => name))
  const rows = table.timestamps.length
  const block: SeriesBlock = {
    ticker: table.ticker,
    granularity: table.granularity,
    provider: isSynthetic ? SAMPLE_PROVIDER_ID : TRANSFORM_PROVIDER,
    type: table.type,
    currency: table.currency,
    collectedAt,
    timestamps: table.timestamps,
    columns: Object.fromEntries(
      result.columns.filter(({ name }) => names.has(name)).map(({ name, values }) => [name, values.slice(0, rows)]),
    ),
  }
  // Rows of the warm-up have no value at all.
  return [refuseImpossibleRows(block).accepted].filter(({ timestamps }) => timestamps.length > 0)
}

interface RunDeps extends RefreshDeps {
  readonly jobs: CollectionJobStore
  readonly runs: CollectionRunStore
  readonly clock: Clock
  /** Forgets which providers could not be reached a moment ago. */
  readonly askAgain?: () => void
}

export const COLLECTION_KIND = 'data-collection'
export const CollectionInput = z.object({ collectionJobId: z.int() })

export const CollectionResult = z.object({
  runId: z.int(),
  recordsFetched: z.int(),
  recordsStored: z.int(),
  message: z.string(),
})
export type CollectionResult = z.infer<typeof CollectionResult>

/** One unfinished run per collection job: a second one is the first one. */
export const singletonKeyOf = (collectionJobId: number): string => `collection-job-${collectionJobId}`

/** Writes are idempotent, so a run whose process died simply begins again. */
export const collectionJobKind = (deps: RunDeps) =>
  defineJobKind({
    kind: COLLECTION_KIND,
    input: CollectionInput,
    attemptLimit: 3,
    run: (context, { collectionJobId }) => runJob(deps, context, collectionJobId),
  })

type Context = Pick<JobContext<unknown>, 'jobId' | 'userId' | 'signal' | 'reportProgress'>

async function runJob(deps: RunDeps, context: Context, id: number): Promise<CollectionResult> {
  const { userId, jobId: queueJobId } = context
  const job = await deps.jobs.find(userId, id)
  if (!job) throw jobMissing()
  const store = await deps.stores.find(userId, job.dataStoreId)
  const providers = await deps.providersOf(job.userId)
  const nameOf = (provider: string) =>
    provider === AUTO_PROVIDER
      ? AUTO_PROVIDER_NAME
      : (providers.find(({ id: known }) => known === provider)?.displayName ?? provider)
  const runId = await deps.runs.begin(job, {
    queueJobId,
    providerName: job.providerId === null ? null : nameOf(job.providerId),
    startedAt: deps.clock.now(),
  })
  const counts = new RunCounts()
  deps.askAgain?.()
  try {
    checkReady(job, await deps.jobs.list(userId))
    if (job.isSystem) await refreshStored(deps, context, counts)
    else if (job.jobKind === 'transform') await runTransform(deps, store, job, counts, context.signal)
    else await fetchJob(deps, context, store, job, counts)
    if (isCancelled(context.signal)) throw context.signal.reason
    const message = runMessage(counts, nameOf)
    await endRun(deps, store, runId, counts, { status: 'completed', message, errorMessage: null })
    return { runId, recordsFetched: counts.fetched, recordsStored: counts.stored, message }
  } catch (error) {
    const outcome = outcomeOf(error, counts, nameOf)
    if (outcome) await endRun(deps, store, runId, counts, outcome)
    throw error
  }
}

/** A cancellation that comes when the work is done counts as well: the waiting caller is told that it was cancelled. */
const isCancelled = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof StopReason && reason.why === 'cancelled'

type Outcome = Pick<RunOutcome, 'status' | 'message' | 'errorMessage'>

/** Undefined when the run was handed back or taken over: another process goes on with it. */
function outcomeOf(error: unknown, counts: RunCounts, nameOf: (provider: string) => string): Outcome | undefined {
  if (error instanceof StopReason) {
    return error.why === 'cancelled'
      ? { status: 'cancelled', message: runMessage(counts, nameOf), errorMessage: null }
      : undefined
  }
  return { status: 'failed', message: null, errorMessage: sentenceFor(error) }
}

async function fetchJob(
  deps: RunDeps,
  { signal, reportProgress }: Context,
  store: OpenStore,
  job: JobWithStanding,
  counts: RunCounts,
): Promise<void> {
  const provider = findProvider(await deps.providersOf(job.userId), job.providerId ?? '')
  const served = job.tickers.filter((ticker) => provider.serves(parseTicker(ticker)))
  for (const ticker of job.tickers) {
    if (!served.includes(ticker)) counts.shortfalls.push(`${provider.displayName} does not offer ${ticker}.`)
  }
  // A service that was asked for nothing it has did not fail.
  if (served.length === 0) {
    throw new Problem('invalid', 'collection.not-offered', shownShortfalls(counts.shortfalls).join(' '))
  }
  let done = 0
  const request = {
    tickers: served,
    granularity: job.granularity,
    range: rangeOfRun(job.dates, deps.now()),
    categories: job.categories,
    ...(job.additionalParams['mode'] === 'bulk' ? { bulk: true } : {}),
  }
  await collect(deps, store, provider, request, signal, {
    onFetched(ticker, records, isPart) {
      counts.fetched += records
      if (!isPart) done++
      const note = `${counts.fetched.toLocaleString('en-US')} records, ${ticker}`
      reportProgress({ fraction: done / served.length, note })
    },
    onStored: (stored) => counts.addStored(stored),
    onOutcome({ result }) {
      if (result.outcome === 'delivered') counts.delivered++
      if (result.outcome === 'missing') counts.shortfalls.push(result.message)
      if (result.outcome === 'failed') counts.shortfalls.push(result.failure.message)
    },
  })
  if (counts.delivered === 0) {
    throw new Problem('upstream', 'collection.nothing', shownShortfalls(counts.shortfalls).join(' '))
  }
}

async function endRun(
  deps: RunDeps,
  store: OpenStore,
  runId: number,
  counts: RunCounts,
  outcome: Outcome,
): Promise<void> {
  await deps.runs.end(runId, {
    ...outcome,
    completedAt: deps.clock.now(),
    recordsFetched: counts.fetched,
    recordsStored: counts.stored,
    layerCounts: await store.series.counts(),
    runCounts: counts.byLayer,
  })
}

class RunCounts {
  fetched = 0
  leftOut: readonly LeftOut[] = []
  conflicts = 0
  readonly #written: Record<Layer, WriteCounts> = { bronze: noWrites, silver: noWrites, gold: noWrites }
  /** Sentences about what could not be had. */
  readonly shortfalls: string[] = []
  delivered = 0

  addStored({ written, conflicts, refused }: IngestCounts): void {
    for (const layer of layers) this.#written[layer] = addCounts(this.#written[layer], written[layer])
    this.conflicts += conflicts
    this.leftOut = addLeftOut(this.leftOut, refused)
  }

  /** New and corrected records of the provider's own layer; what was there already does not count. */
  get stored(): number {
    return changesOf(this.#written.silver)
  }

  get corrected(): number {
    return this.#written.silver.replaced
  }

  get byLayer(): LayerCounts {
    const { bronze, silver, gold } = this.#written
    return { bronze: changesOf(bronze), silver: changesOf(silver), gold: changesOf(gold) }
  }
}

const changesOf = ({ inserted, replaced }: WriteCounts): number => inserted + replaced

const SHOWN = 5

const count = (value: number): string => value.toLocaleString('en-US')

/** `nameOf`: what a provider is called. */
function runMessage(counts: RunCounts, nameOf: (provider: string) => string): string {
  const sentences = [`Fetched ${count(counts.fetched)} records, stored ${count(counts.stored)} records.`]
  if (counts.corrected > 0) sentences.push(`${count(counts.corrected)} of them corrected earlier values.`)
  if (counts.conflicts > 0) {
    sentences.push(`Providers disagree on ${count(counts.conflicts)} ${counts.conflicts === 1 ? 'value' : 'values'}.`)
  }
  const leftOut = counts.leftOut.map((one) => leftOutSentence(one, nameOf(one.provider)))
  sentences.push(...leftOut.slice(0, SHOWN))
  if (leftOut.length > SHOWN) sentences.push(`Rows of ${count(leftOut.length - SHOWN)} more tickers are left out.`)
  return [...sentences, ...shownShortfalls(counts.shortfalls)].join(' ')
}

function shownShortfalls(shortfalls: readonly string[]): string[] {
  const shown = [...new Set(shortfalls)]
  const rest = shown.length - SHOWN
  return rest > 0 ? [...shown.slice(0, SHOWN), `And ${rest} more could not be fetched.`] : shown
}

interface RefreshDeps extends CollectDeps {
  readonly stores: OpenStores
  readonly storeRows: DataStoreRows
  readonly providersOf: ProvidersOf
}

/** Fetched again before the newest row: providers correct their last days, statistics their last quarter. */
const OVERLAP_DAYS = { price: 7, economic: 100 }

/** A series without a row for so long has ended, or was wanted for an earlier period. */
const ENDED_AFTER_DAYS = 400

type RefreshContext = Pick<JobContext<unknown>, 'userId' | 'signal' | 'reportProgress'>

/**
 * Fetches what is new of every series that the user's stores hold, from the provider it came from. A provider or a store
 * that fails is told and passed over: what is stored stays as it is.
 */
async function refreshStored(deps: RefreshDeps, context: RefreshContext, counts: RunCounts): Promise<void> {
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
