import { granularityMillis } from '@tradewright/core/granularity'
import { type NumberColumns, quote } from './duck.ts'
import type { Segment } from './lake-file.ts'
import { type LakeReader, queryFiles } from './read-runs.ts'
import { conditionsOf, isInside, narrowFiles, type Selection, wantedSegments, whereSql } from './selection.ts'
import { isNumberField, type NumberField, type SortKey } from './sort-order.ts'
import type { WordName } from './series-words.ts'

/** Neighbours in the sort: how many records, and which selection they are. */
export interface Bucket {
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
  if (!isNumberField(field)) {
    const words = new Set(buckets.map(({ low }) => low))
    return { ...selection, isWanted: (one) => selection.isWanted(one) && words.has(one[field]) }
  }
  const low = buckets.reduce((least, bucket) => Math.min(least, bucket.low as number), Number.POSITIVE_INFINITY)
  const high = buckets.reduce((most, bucket) => Math.max(most, bucket.high as number), Number.NEGATIVE_INFINITY)
  // Stamps are whole milliseconds, so the half-open range says "up to and including".
  if (field === 'timestamp') return { ...selection, range: { from: low, to: high + 1 } }
  const between = `${numberSql[field]} BETWEEN ${double(low)} AND ${double(high)}`
  return { ...selection, conditions: [...(selection.conditions ?? []), between] }
}

export const isCut = (selection: Selection): boolean =>
  (selection.conditions ?? []).length > 0 ||
  !wantedSegments(selection).every((segment) => isInside(segment, selection.range))

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

const numberSql: Record<NumberField, string> = {
  timestamp: 'epoch_ms(timestamp)::DOUBLE',
  value: 'value',
  collected_at: 'epoch_ms(collected_at)::DOUBLE',
}

const double = (value: number): string => `'${value}'::DOUBLE`

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
  const where = whereSql(conditionsOf(selection))
  const number = numberSql[field]
  const bounds = await boundsOf(reader, selection, field)
  if (bounds.low === bounds.high) return [{ ...bounds, count: total, isPoint: true }]
  const width = bounds.high / BUCKETS - bounds.low / BUCKETS
  const isSparse = field === 'timestamp' && distinctStamps(segments, bounds) <= MANY_STAMPS
  // A width of zero: the values differ by less than a double can divide.
  const group = isSparse || width === 0 ? field : `floor(${number} / ${double(width)} - ${double(bounds.low / width)})`
  const select = group === field ? `${number}, records, ${number}, ${number}` : 'bucket, records, low, high'
  const sql = (source: string) =>
    group === field
      ? `SELECT ${select} FROM (SELECT ${field}, count(*)::DOUBLE AS records FROM ${source} ${where} GROUP BY 1)`
      : `SELECT ${select} FROM (SELECT ${group} AS bucket, count(*)::DOUBLE AS records,
          min(${number}) AS low, max(${number}) AS high FROM ${source} ${where} GROUP BY 1)`
  return bucketsOf(await queryFiles(reader, selection.files, sql))
}

function bucketsOf({ rowCount, columns }: NumberColumns): Bucket[] {
  const [, counts, lows, highs] = columns
  return Array.from({ length: rowCount }, (_, i) => ({
    count: counts![i]!,
    isPoint: lows![i] === highs![i],
    low: lows![i]!,
    high: highs![i]!,
  }))
}

/** From the catalogue where nothing is cut; a later round must look, or it would divide the same range again. */
async function boundsOf(reader: LakeReader, selection: Selection, field: NumberField) {
  const segments = wantedSegments(selection)
  const [least, most] = BOUND_NAMES[field]
  const low = segments.reduce((found, segment) => Math.min(found, segment[least]), Number.POSITIVE_INFINITY)
  const high = segments.reduce((found, segment) => Math.max(found, segment[most]), Number.NEGATIVE_INFINITY)
  if (!isCut(selection)) return { low, high }
  const { range } = selection
  if (field === 'timestamp' && range) {
    return { low: Math.max(low, range.from), high: Math.min(high, range.to - 1) }
  }
  const number = numberSql[field]
  const where = whereSql(conditionsOf(selection))
  const sql = (source: string) =>
    `SELECT coalesce(min(${number}), 0), coalesce(max(${number}), 0) FROM ${source} ${where}`
  const [lows, highs] = (await queryFiles(reader, selection.files, sql)).columns
  return { low: lows![0]!, high: highs![0]! }
}

const BOUND_NAMES = {
  timestamp: ['first', 'last'],
  value: ['least', 'greatest'],
  collected_at: ['collectedFirst', 'collectedLast'],
} as const satisfies Record<NumberField, readonly [keyof Segment, keyof Segment]>

function distinctStamps(segments: readonly Segment[], { low, high }: { low: number; high: number }): number {
  const finest = segments.reduce((least, { words }) => Math.min(least, granularityMillis(words.granularity)), Infinity)
  return (high - low) / finest
}
