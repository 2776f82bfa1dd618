import { granularityMillis } from '@tradewright/core/granularity'
import type { RecordField } from '@tradewright/engine/market/series-store'
import { type NumberColumns, quote } from './duck.ts'
import type { Segment } from './lake-file.ts'
import { type LakeReader, queryFiles } from './read-runs.ts'
import {
  type Bounds,
  conditionsOf,
  double,
  isCut,
  narrowFiles,
  numberSql,
  type Selection,
  wantedSegments,
  whereSql,
} from './selection.ts'
import type { WordName } from '../runs.ts'
import type { StoredRun } from './removed-rows.ts'

export type NumberField = 'timestamp' | 'value' | 'collected_at'
export type SortField = NumberField | WordName

export interface SortKey {
  readonly field: SortField
  readonly isDescending: boolean
}

export const isNumberField = (field: SortField): field is NumberField =>
  field === 'timestamp' || field === 'value' || field === 'collected_at'

/** Ties are broken in this order, ascending, whatever the sort: two pages never show the same record. */
const TIE_BREAKERS = ['timestamp', 'ticker', 'category', 'provider', 'granularity'] as const

export function sortKeys(sortBy: RecordField, sortOrder: 'asc' | 'desc'): SortKey[] {
  const ties = TIE_BREAKERS.filter((field) => field !== sortBy)
  return [
    { field: sortBy, isDescending: sortOrder === 'desc' },
    ...ties.map((field) => ({ field, isDescending: false })),
  ]
}

/** A record without an object of its own. */
export interface RowReference {
  readonly run: StoredRun
  readonly row: number
}

function fieldOf(field: SortField, { run, row }: RowReference): string | number {
  return isNumberField(field) ? run.column[COLUMN_OF[field]][row]! : run.words[field]
}

const COLUMN_OF = { timestamp: 'timestamps', value: 'values', collected_at: 'collectedAt' } as const

export function compareRows(keys: readonly SortKey[], a: RowReference, b: RowReference): number {
  for (const { field, isDescending } of keys) {
    const [left, right] = [fieldOf(field, a), fieldOf(field, b)]
    if (left !== right) return left < right === isDescending ? 1 : -1
  }
  return 0
}

/** Neighbours in the sort: how many records, and which selection they are. */
interface Bucket {
  readonly count: number
  /** All its records have the same value of the sort field. */
  readonly isPoint: boolean
  readonly low: string | number
  readonly high: string | number
}

/** Counts the `total` records of a selection by the value of a sort field, in the order of the sort. */
export async function countByField(
  reader: LakeReader,
  wide: Selection,
  key: SortKey,
  total: number,
): Promise<Bucket[]> {
  const selection = narrowFiles(wide)
  const { field } = key
  const buckets = isNumberField(field)
    ? await countByNumber(reader, selection, field, total)
    : await countByWord(reader, selection, field)
  const direction = key.isDescending ? -1 : 1
  return buckets.sort((a, b) => (a.low < b.low ? -direction : direction))
}

/** The selection cut down to neighbouring buckets. */
export function restrictTo(selection: Selection, { field }: SortKey, buckets: readonly Bucket[]): Selection {
  if (isNumberField(field)) {
    const low = buckets.reduce((least, bucket) => Math.min(least, bucket.low as number), Number.POSITIVE_INFINITY)
    const high = buckets.reduce((most, bucket) => Math.max(most, bucket.high as number), Number.NEGATIVE_INFINITY)
    return boundNumber(selection, field, { low, high })
  }
  const words = new Set(buckets.map(({ low }) => low))
  return { ...selection, isWanted: (one) => selection.isWanted(one) && words.has(one[field]) }
}

export function boundNumber(selection: Selection, field: NumberField, { low, high }: Bounds): Selection {
  if (field !== 'timestamp') return { ...selection, bounds: { ...selection.bounds, [field]: { low, high } } }
  const { from, to } = selection.range ?? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  // Stamps are whole milliseconds, so the half-open range says "up to and including".
  return { ...selection, range: { from: Math.max(from, low), to: Math.min(to, high + 1) } }
}

async function countByWord(reader: LakeReader, selection: Selection, field: WordName): Promise<Bucket[]> {
  const segments = wantedSegments(selection)
  const words = [...new Set<string>(segments.map((segment) => segment.words[field]))].sort()
  const counts = new Map<string, number>()
  if (isCut(selection)) {
    const list = words.map(quote).join(', ')
    const sql = (source: string) =>
      `SELECT list_position([${list}], word)::DOUBLE, records::DOUBLE FROM (
        SELECT ${field} AS word, count(*) AS records FROM ${source} ${whereSql(conditionsOf(selection))} GROUP BY 1)`
    const [positions, records] = (await queryFiles(reader, selection.files, sql)).columns
    positions!.forEach((position, i) => counts.set(words[position - 1]!, records![i]!))
  } else {
    for (const { words: own, rows } of segments) counts.set(own[field], (counts.get(own[field]) ?? 0) + rows)
  }
  return [...counts].map(([word, count]) => ({ count, isPoint: true, low: word, high: word }))
}

const BUCKETS = 4096
/** Grouping by the stored value itself is three times as fast, as long as there are not too many. */
const MANY_STAMPS = 50_000

async function countByNumber(
  reader: LakeReader,
  selection: Selection,
  field: NumberField,
  total: number,
): Promise<Bucket[]> {
  const segments = wantedSegments(selection)
  const bounds = boundsOf(selection, segments, field)
  if (bounds.low === bounds.high) return [{ ...bounds, count: total, isPoint: true }]
  const where = whereSql(conditionsOf(selection))
  const isSparse = field === 'timestamp' && distinctStamps(segments, bounds) <= MANY_STAMPS
  const sql = isSparse || areClose(bounds) ? valuesSql(field, where) : bucketsSql(field, where, bounds)
  return bucketsOf(await queryFiles(reader, selection.files, sql))
}

/** Counts records by value: one bucket for each. */
const valuesSql = (field: NumberField, where: string) => (source: string) =>
  `SELECT records, ${numberSql[field]}, ${numberSql[field]} FROM (
    SELECT ${field}, count(*)::DOUBLE AS records FROM ${source} ${where} GROUP BY 1)`

/** Buckets of equal width, each with the values that are really in it: those bound the next round. */
function bucketsSql(field: NumberField, where: string, { low, high }: Bounds): (source: string) => string {
  const number = numberSql[field]
  const width = high / BUCKETS - low / BUCKETS
  return (source) =>
    `SELECT records, low, high FROM (
      SELECT floor(${number} / ${double(width)} - ${double(low / width)}) AS bucket, count(*)::DOUBLE AS records,
        min(${number}) AS low, max(${number}) AS high FROM ${source} ${where} GROUP BY 1)`
}

/** Numbers that differ in their last bits only cannot be told apart by dividing them. */
const areClose = ({ low, high }: Bounds): boolean =>
  high / BUCKETS - low / BUCKETS <= Math.max(Math.abs(low), Math.abs(high)) * 2 ** -40

function bucketsOf({ rowCount, columns }: NumberColumns): Bucket[] {
  const [counts, lows, highs] = columns
  return Array.from({ length: rowCount }, (_, i) => ({
    count: counts![i]!,
    isPoint: lows![i] === highs![i],
    low: lows![i]!,
    high: highs![i]!,
  }))
}

/** Known from the catalogue or from the round before; never too narrow. */
function boundsOf(selection: Selection, segments: readonly Segment[], field: NumberField): Bounds {
  if (field !== 'timestamp' && selection.bounds?.[field]) return selection.bounds[field]
  const [least, most] = BOUND_NAMES[field]
  const low = segments.reduce((found, segment) => Math.min(found, segment[least]), Number.POSITIVE_INFINITY)
  const high = segments.reduce((found, segment) => Math.max(found, segment[most]), Number.NEGATIVE_INFINITY)
  const { range } = selection
  if (field !== 'timestamp' || !range) return { low, high }
  return { low: Math.max(low, range.from), high: Math.min(high, range.to - 1) }
}

export const BOUND_NAMES = {
  timestamp: ['first', 'last'],
  value: ['least', 'greatest'],
  collected_at: ['collectedFirst', 'collectedLast'],
} as const satisfies Record<NumberField, readonly [keyof Segment, keyof Segment]>

function distinctStamps(segments: readonly Segment[], { low, high }: Bounds): number {
  const finest = segments.reduce((least, { words }) => Math.min(least, granularityMillis(words.granularity)), Infinity)
  return (high - low) / finest
}
