import { columnRecords, type StoredColumn } from '@tradewright/engine/market/layers/upsert'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { SeriesKey } from './series-key.ts'

/** A column of a run; in a store that keeps its history, with the change that stored each record. */
export interface RunColumn extends StoredColumn {
  readonly storedVersions?: Float64Array
}

/** Records of one series in memory: the same words, by time, each stamp once. Written to a file it is a segment. */
export interface Run {
  readonly words: SeriesKey
  readonly column: RunColumn
}

export const rowCount = (runs: readonly Run[]): number =>
  runs.reduce((sum, { column }) => sum + column.timestamps.length, 0)

/** One run per category. A value or stamp that is no finite number is no record, and stamps are whole milliseconds. */
export function runsOfBlock(block: SeriesBlock): Run[] {
  const { ticker, granularity, provider, type, currency } = block
  const whole = { ...block, timestamps: wholeMillis(block.timestamps) }
  const isAscending = ascends(whole.timestamps)
  const constants = constantColumns(whole)
  const runs = Object.entries(whole.columns).map(([category, values]): Run => {
    const words = { ticker, granularity, category, provider, type, currency }
    // Most blocks are complete: their columns are taken as they are, without a copy.
    if (isAscending && isComplete(values)) return { words, column: { ...constants, values } }
    const finite = { ...whole, columns: { [category]: values.map((value) => (Number.isFinite(value) ? value : NaN)) } }
    return { words, column: columnRecords(finite, category) }
  })
  return runs.filter(({ column }) => column.timestamps.length > 0)
}

function constantColumns({ timestamps, knownAt, collectedAt }: SeriesBlock): Omit<StoredColumn, 'values'> {
  return {
    timestamps,
    knownAt: knownAt ?? new Float64Array(timestamps.length).fill(Number.NaN),
    collectedAt: new Float64Array(timestamps.length).fill(collectedAt),
  }
}

/** The range of a JavaScript date; what lies outside is no instant, and becomes a stamp that is dropped. */
const LAST_INSTANT = 8.64e15

function wholeMillis(stamps: Float64Array): Float64Array {
  if (stamps.every((stamp) => Number.isInteger(stamp) && Math.abs(stamp) <= LAST_INSTANT)) return stamps
  return stamps.map((stamp) => (Math.abs(stamp) <= LAST_INSTANT ? Math.round(stamp) : Number.NaN))
}

function isComplete(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i]!)) return false
  return true
}

export function ascends(stamps: Float64Array): boolean {
  if (stamps.length === 1) return !Number.isNaN(stamps[0]!)
  for (let i = 1; i < stamps.length; i++) if (!(stamps[i - 1]! < stamps[i]!)) return false
  return true
}

/** The same operation on all columns. */
function mapColumn(column: RunColumn, change: (values: Float64Array) => Float64Array): RunColumn {
  return {
    timestamps: change(column.timestamps),
    values: change(column.values),
    knownAt: change(column.knownAt),
    collectedAt: change(column.collectedAt),
    ...(column.storedVersions && { storedVersions: change(column.storedVersions) }),
  }
}

export const sliceColumn = (column: RunColumn, from: number, to: number): RunColumn =>
  mapColumn(column, (values) => values.subarray(from, to))

export function takeRows(column: RunColumn, rows: ArrayLike<number>): RunColumn {
  return mapColumn(column, (values) => {
    const taken = new Float64Array(rows.length)
    for (let i = 0; i < taken.length; i++) taken[i] = values[rows[i]!]!
    return taken
  })
}

export function joinColumns(columns: readonly RunColumn[]): RunColumn {
  if (columns.length === 1) return columns[0]!
  const length = columns.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const join = (columnOf: (column: RunColumn) => Float64Array): Float64Array => {
    const target = new Float64Array(length)
    let at = 0
    for (const column of columns) {
      target.set(columnOf(column), at)
      at += column.timestamps.length
    }
    return target
  }
  return {
    timestamps: join(({ timestamps }) => timestamps),
    values: join(({ values }) => values),
    knownAt: join(({ knownAt }) => knownAt),
    collectedAt: join(({ collectedAt }) => collectedAt),
    ...(columns.every(({ storedVersions }) => storedVersions) && {
      storedVersions: join(({ storedVersions }) => storedVersions!),
    }),
  }
}
