import type { Category } from '@tradewright/core/category'
import type { WriteCounts } from '../series-store.ts'
import type { Rows } from './rows.ts'

export const noWrites: WriteCounts = { inserted: 0, replaced: 0, unchanged: 0 }

export const addCounts = (a: WriteCounts, b: WriteCounts): WriteCounts => ({
  inserted: a.inserted + b.inserted,
  replaced: a.replaced + b.replaced,
  unchanged: a.unchanged + b.unchanged,
})

/** One category of one series, as a store keeps it: sorted by time, no NaN. */
export interface StoredColumn {
  readonly timestamps: Float64Array
  readonly values: Float64Array
  readonly knownAt: Float64Array
  readonly collectedAt: Float64Array
}

/**
 * The records of one category of a block: its cells without the gaps, by time. Only bronze may come unsorted or with
 * a stamp twice; of those the last one sent counts.
 */
export function columnRecords(block: Rows & { readonly collectedAt: number }, category: Category): StoredColumn {
  const values = block.columns[category] ?? new Float64Array()
  const rows: number[] = []
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row]!)) rows.push(row)
  return takeRecords(block, values, isAscending(block.timestamps) ? rows : sortedByTime(block.timestamps, rows))
}

function takeRecords(
  block: Rows & { readonly collectedAt: number },
  values: Float64Array,
  rows: readonly number[],
): StoredColumn {
  const take = (column: Float64Array | undefined, fallback: number) =>
    Float64Array.from(rows, (row) => column?.[row] ?? fallback)
  return {
    timestamps: take(block.timestamps, Number.NaN),
    values: take(values, Number.NaN),
    knownAt: take(block.knownAt, Number.NaN),
    collectedAt: take(undefined, block.collectedAt),
  }
}

function isAscending(stamps: Float64Array): boolean {
  for (let i = 1; i < stamps.length; i++) if (!(stamps[i - 1]! < stamps[i]!)) return false
  return true
}

function sortedByTime(stamps: Float64Array, rows: readonly number[]): number[] {
  const sorted = rows.filter((row) => !Number.isNaN(stamps[row]!)).sort((a, b) => stamps[a]! - stamps[b]! || a - b)
  return sorted.filter((row, i) => stamps[row] !== stamps[sorted[i + 1] ?? -1])
}

/**
 * Writes `incoming` over `stored`: new stamps are inserted, other values replace, equal ones are left alone together
 * with the time they were collected. Both sorted by time.
 */
export function upsertColumn(
  stored: StoredColumn,
  incoming: StoredColumn,
): { column: StoredColumn; counts: WriteCounts } {
  const capacity = stored.timestamps.length + incoming.timestamps.length
  const out = newColumn(capacity)
  const counts = { inserted: 0, replaced: 0, unchanged: 0 }
  let [i, k, count] = [0, 0, 0]
  while (i < stored.timestamps.length || k < incoming.timestamps.length) {
    const storedStamp = stored.timestamps[i] ?? Number.POSITIVE_INFINITY
    const incomingStamp = incoming.timestamps[k] ?? Number.POSITIVE_INFINITY
    if (storedStamp < incomingStamp) copyRecord(stored, i++, out, count++)
    else if (incomingStamp < storedStamp) {
      counts.inserted++
      copyRecord(incoming, k++, out, count++)
    } else if (isSameRecord(stored, i, incoming, k)) {
      counts.unchanged++
      k++
      copyRecord(stored, i++, out, count++)
    } else {
      counts.replaced++
      i++
      copyRecord(incoming, k++, out, count++)
    }
  }
  return { column: cutColumn(out, count), counts }
}

const newColumn = (length: number): StoredColumn => ({
  timestamps: new Float64Array(length),
  values: new Float64Array(length),
  knownAt: new Float64Array(length),
  collectedAt: new Float64Array(length),
})

function copyRecord(from: StoredColumn, row: number, to: StoredColumn, at: number): void {
  to.timestamps[at] = from.timestamps[row]!
  to.values[at] = from.values[row]!
  to.knownAt[at] = from.knownAt[row]!
  to.collectedAt[at] = from.collectedAt[row]!
}

const isSameRecord = (a: StoredColumn, i: number, b: StoredColumn, k: number): boolean =>
  a.values[i] === b.values[k] && Object.is(a.knownAt[i], b.knownAt[k])

const cutColumn = (column: StoredColumn, length: number): StoredColumn => ({
  timestamps: column.timestamps.slice(0, length),
  values: column.values.slice(0, length),
  knownAt: column.knownAt.slice(0, length),
  collectedAt: column.collectedAt.slice(0, length),
})
