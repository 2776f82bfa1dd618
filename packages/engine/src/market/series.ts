import type { Category } from '@tradewright/core/category'
import type { Column } from '@tradewright/core/column'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'

/** bronze: as the provider sent it. silver: normalised, per provider. gold: merged by provider precedence. */
export type Layer = 'bronze' | 'silver' | 'gold'

export const layers: readonly Layer[] = ['bronze', 'silver', 'gold']

/** Values by category; every column is as long as the timestamps beside it. */
export type CategoryColumns = Readonly<Record<Category, Column>>

/**
 * Rows of one ticker from one provider, the unit in which data travels. What is the same in every row is said once,
 * so that a block of n rows and five categories is 5n records without 5n objects.
 *
 * In silver and gold: timestamps strictly ascending (daily rows stamped as `dayStamp`, intraday rows with their opening
 * instant), prices raw, and NaN for "this row has no value of this category" (such a cell is no record).
 * In bronze the ticker, the category names, the stamps and the order are the provider's own.
 */
export interface SeriesBlock {
  readonly ticker: string
  readonly granularity: Granularity
  readonly provider: string
  /** The record's `type`. */
  readonly type: TickerKind
  readonly currency: string
  readonly collectedAt: UtcMillis
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  /** When each row became public, for economic series. Absent: the calendar of the ticker's kind says it. */
  readonly knownAt?: Float64Array
}

/** Where the rows of a read series came from, for the Data Sources panel and the synthetic badge. */
export interface SeriesSource {
  readonly provider: string
  readonly rows: number
  readonly from: UtcMillis
  /** The stamp of the last row, not one past it. */
  readonly last: UtcMillis
  readonly collectedAt: UtcMillis
}

/** Rows of one ticker as they are read back: in gold several providers may have contributed. */
export interface SeriesTable {
  readonly ticker: string
  readonly granularity: Granularity
  readonly type: TickerKind
  readonly currency: string
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  readonly knownAt?: Float64Array
  readonly sources: readonly SeriesSource[]
}

/** The currency of all parts of a series: `EUR`, or `EUR and USD` where its providers do not agree, which nothing may be computed from. */
export const currenciesOf = (parts: readonly { readonly currency: string }[]): string =>
  [...new Set(parts.map(({ currency }) => currency))].join(' and ')

/** The spec's data record. Objects are for a page of 50, never for a batch. */
export interface DataRecord {
  readonly ticker: string
  readonly timestamp: UtcMillis
  readonly category: Category
  readonly type: TickerKind
  readonly value: number
  readonly currency: string
  readonly provider: string
  readonly collectedAt: UtcMillis
  readonly granularity: Granularity
  readonly knownAt: UtcMillis | undefined
}
