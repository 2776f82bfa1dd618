import { lowerBound } from '@tradewright/core/column'
import type { TimeRange } from '@tradewright/core/time'
import type { CategoryColumns, SeriesBlock } from '../series.ts'

/** The part of a block or table that is rows, in either of them. */
export interface Rows {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  readonly knownAt?: Float64Array
}

const mapColumns = (columns: CategoryColumns, change: (column: Float64Array) => Float64Array): CategoryColumns =>
  Object.fromEntries(Object.entries(columns).map(([category, column]) => [category, change(column)]))

/** The rows of the given indices, in that order. */
export function takeRows<R extends Rows>(rows: R, indices: ArrayLike<number>): R {
  const take = (column: Float64Array) => {
    const taken = new Float64Array(indices.length)
    for (let i = 0; i < taken.length; i++) taken[i] = column[indices[i]!]!
    return taken
  }
  return withRows(rows, take)
}

/** Rows `from` to `to`, half-open, sharing memory with the original. */
export const sliceRows = <R extends Rows>(rows: R, from: number, to: number): R =>
  withRows(rows, (column) => column.subarray(from, to))

/** The rows whose stamps lie in the range; the stamps must ascend. */
export const rowsInRange = <R extends Rows>(rows: R, { from, to }: TimeRange): R =>
  sliceRows(rows, lowerBound(rows.timestamps, from), lowerBound(rows.timestamps, to))

function withRows<R extends Rows>(rows: R, change: (column: Float64Array) => Float64Array): R {
  return {
    ...rows,
    timestamps: change(rows.timestamps),
    columns: mapColumns(rows.columns, change),
    ...(rows.knownAt ? { knownAt: change(rows.knownAt) } : {}),
  }
}

/** Records are values, so NaN cells do not count. */
export function recordCount(rows: Rows): number {
  let count = 0
  for (const column of Object.values(rows.columns)) for (const value of column) if (!Number.isNaN(value)) count++
  return count
}

/** The same block with only the named categories, as far as it has them. */
export function pickCategories(block: SeriesBlock, categories: readonly string[]): SeriesBlock {
  const kept = Object.entries(block.columns).filter(([category]) => categories.includes(category))
  return { ...block, columns: Object.fromEntries(kept) }
}
