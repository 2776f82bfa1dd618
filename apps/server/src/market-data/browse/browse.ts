import { DAY, dateOf, dayStamp, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import type { Layer } from '@tradewright/engine/market/series'
import type { AvailableData, BrowsePage, BrowseQuery } from '@tradewright/engine/market/series-store'
import type { OpenStores } from '../stores/ports.ts'

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
