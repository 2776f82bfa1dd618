import { granularities, type Granularity } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import type { Column } from '@tradewright/core/column'
import type { UtcMillis } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import type { TransformTable } from '@tradewright/engine/transforms/starter-transforms'
import type { OpenStores } from '../stores/ports.ts'
import { type DataFilters, rangeOf } from './browse.ts'
import { type TransformInput, transformOf } from './transform-task.ts'

interface TransformRequest extends DataFilters {
  /** Without one, the table holds the stored values alone. */
  readonly transform: string | undefined
  readonly granularity: Granularity | undefined
}

/** One row per ticker and stamp; NaN is an empty cell. */
export interface TransformView {
  readonly tickers: readonly string[]
  readonly timestamps: readonly UtcMillis[]
  readonly columns: readonly { readonly name: string; readonly values: Column }[]
  readonly isSynthetic: boolean
}

export interface TransformViewDeps {
  readonly stores: OpenStores
  /** Transforms on a compute thread, as work of the owner. */
  readonly transform: (input: TransformInput, owner: string) => Promise<TransformTable>
}

/** More would be an unreadable table, and a hundred megabytes on the way. */
const MAX_ROWS = 50_000

const EVERYTHING = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

export async function transformView(
  { stores, transform: apply }: TransformViewDeps,
  userId: number,
  request: TransformRequest,
): Promise<TransformView> {
  const { tickers, categories, providers, layer } = request
  if (tickers.length === 0) throw invalid('Please select at least one ticker for transform view')
  if (categories.length === 0) throw invalid('Please select at least one category for transform view')
  const transform = transformOf(request.transform)
  if (!transform) throw invalid(`There is no starter transform "${request.transform}".`)
  const { series } = await stores.find(userId, request.storeId)
  const granularity = request.granularity ?? (await coarsestOf(series, request))
  const range = rangeOf(request) ?? EVERYTHING
  // Every category, since a split between two rows is no return.
  const tables = await series.read({
    layer,
    tickers,
    granularity,
    range,
    categories: [],
    providers,
    asOf: request.asOf,
  })
  if (tables.length === 0) throw new Problem('missing', 'transform.no-data', 'There is no data for this selection.')
  const rows = tables.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  if (rows > MAX_ROWS) {
    const [has, most] = [rows, MAX_ROWS].map((count) => count.toLocaleString('en-US'))
    throw invalid(
      `The selection has ${has} rows, and at most ${most} are shown; choose a shorter range or fewer tickers.`,
    )
  }
  const table = await apply({ transform: request.transform, tables }, String(userId))
  const shown = new Set([...categories, ...transform.computedColumns.map(({ name }) => name)])
  return {
    ...table,
    columns: table.columns.filter(({ name }) => shown.has(name)),
    isSynthetic: tables.some(({ sources }) => sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID)),
  }
}

async function coarsestOf(series: SeriesStore, { layer, tickers, asOf }: TransformRequest): Promise<Granularity> {
  const stored = new Set((await series.summaries({ layer, tickers, asOf })).map(({ granularity }) => granularity))
  return granularities.findLast((granularity) => stored.has(granularity)) ?? '1d'
}

const invalid = (sentence: string) => new Problem('invalid', 'transform.invalid', sentence)
