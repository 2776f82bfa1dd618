import { Problem } from '@tradewright/core/problem'
import type { UtcMillis } from '@tradewright/core/time'
import { ingest } from '@tradewright/engine/market/layers/ingest'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import { refuseImpossibleRows } from '@tradewright/engine/market/layers/validate-rows'
import { recordCount } from '@tradewright/engine/market/layers/rows'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesBlock, SeriesTable } from '@tradewright/engine/market/series'
import { applyTransform } from '@tradewright/engine/transforms/apply-transform'
import { findStarterTransform } from '@tradewright/engine/transforms/starter-transforms'
import type { StarterTransform } from '@tradewright/engine/transforms/starter-transform'
import type { OpenStore } from '../stores/ports.ts'
import type { CollectionJob } from './collection-job.ts'
import { rangeOfRun } from './job-range.ts'
import type { RunCounts } from './run-counts.ts'

/** Computed columns are stored under this provider, beside the series they were computed from. */
const TRANSFORM_PROVIDER = 'transform'

/** Computes a starter transform on what the store holds and stores its columns as categories. */
export async function runTransform(
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
