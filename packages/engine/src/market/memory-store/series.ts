import type { Category } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { StoredColumn } from '../layers/upsert.ts'
import type { Layer } from '../series.ts'

/** One category of one series from one provider. */
export interface MemorySeries {
  readonly layer: Layer
  readonly ticker: string
  readonly granularity: Granularity
  readonly provider: string
  readonly category: Category
  readonly type: TickerKind
  readonly currency: string
  readonly column: StoredColumn
}

/** By layer, ticker, granularity, category and provider. */
export type MemorySeriesMap = Map<string, MemorySeries>

export const seriesKey = ({ layer, ticker, granularity, category, provider }: Omit<MemorySeries, 'column'>): string =>
  JSON.stringify([layer, ticker, granularity, category, provider])

export const emptyColumn: StoredColumn = {
  timestamps: new Float64Array(),
  values: new Float64Array(),
  knownAt: new Float64Array(),
  collectedAt: new Float64Array(),
}

/** The records whose stamps are wanted. */
export function keepStamps(column: StoredColumn, isWanted: (stamp: number) => boolean): StoredColumn {
  const rows: number[] = []
  column.timestamps.forEach((stamp, row) => {
    if (isWanted(stamp)) rows.push(row)
  })
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    timestamps: take(column.timestamps),
    values: take(column.values),
    knownAt: take(column.knownAt),
    collectedAt: take(column.collectedAt),
  }
}
