import { DAY, dateOf, dayStamp, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import type { Layer } from '@tradewright/engine/market/series'
import type { AvailableData, BrowsePage, BrowseQuery, SeriesStore } from '@tradewright/engine/market/series-store'
import { granularities, type Granularity } from '@tradewright/core/granularity'
import type { Column } from '@tradewright/core/column'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { TransformTable } from '@tradewright/engine/transforms/starter-transforms'
import type { OpenStores } from '../stores/data-store.ts'
import { type TransformInput, transformOf } from './transform-task.ts'

export interface DataFilters {
  readonly storeId: number | undefined
  readonly layer: Layer
  readonly tickers: readonly string[]
  readonly categories: readonly string[]
  readonly providers: readonly string[]
  readonly startDate: string | null
  /** The last day, which belongs to the range. */
  readonly endDate: string | null
  /** What the store held at this moment; undefined: what it holds now. */
  readonly asOf?: UtcMillis | undefined
}

type PageRequest = Pick<BrowseQuery, 'sortBy' | 'sortOrder' | 'page' | 'perPage' | 'search'>

interface Deps {
  readonly stores: OpenStores
}

export async function availableData(
  { stores }: Deps,
  userId: number,
  storeId: number | undefined,
  layer: Layer,
): Promise<AvailableData> {
  return (await stores.find(userId, storeId)).series.available(layer)
}

export async function browseData(
  { stores }: Deps,
  userId: number,
  filters: DataFilters,
  page: PageRequest,
): Promise<BrowsePage> {
  const { series } = await stores.find(userId, filters.storeId)
  const { layer, tickers, categories, providers, asOf } = filters
  const range = rangeOf(filters)
  return series.browse({ layer, tickers, categories, providers, asOf, ...(range ? { range } : {}), ...page })
}

/** Undefined without dates; one that is left out is open. */
export function rangeOf({ startDate, endDate }: Pick<DataFilters, 'startDate' | 'endDate'>): TimeRange | undefined {
  if (startDate === null && endDate === null) return undefined
  const from = startDate === null ? Number.MIN_SAFE_INTEGER : dayStamp(dateOf(startDate))
  const to = endDate === null ? Number.MAX_SAFE_INTEGER : dayStamp(dateOf(endDate)) + DAY
  if (to <= from) throw new Problem('invalid', 'browse.dates', 'The end date is before the start date.')
  return { from, to }
}

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

export interface SavedQueryFilters {
  readonly name: string
  readonly description: string
  readonly tickers: readonly string[]
  readonly categories: readonly string[]
  readonly providers: readonly string[]
  readonly startDate: string | null
  readonly endDate: string | null
}

export interface SavedQuery extends SavedQueryFilters {
  readonly id: number
  readonly isDefault: boolean
  readonly useCount: number
}

/** Saved queries of each user; those of others do not exist for them. */
export interface SavedQueryStore {
  /** Most used first. */
  list(userId: number): Promise<SavedQuery[]>
  insert(userId: number, filters: SavedQueryFilters): Promise<SavedQuery>
  /** Counts a use and, given filters, changes it. */
  use(userId: number, id: number, filters: SavedQueryFilters | undefined): Promise<SavedQuery | undefined>
  remove(userId: number, id: number): Promise<boolean>
}

export async function useSavedQuery(
  queries: SavedQueryStore,
  userId: number,
  id: number,
  filters: SavedQueryFilters | undefined,
): Promise<SavedQuery> {
  const query = await queries.use(userId, id, filters)
  if (!query) throw queryMissing()
  return query
}

export async function deleteSavedQuery(queries: SavedQueryStore, userId: number, id: number): Promise<void> {
  if (!(await queries.remove(userId, id))) throw queryMissing()
}

const queryMissing = () => new Problem('missing', 'query.missing', 'There is no such saved query.')
