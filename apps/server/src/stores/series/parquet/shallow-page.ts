import { granularityMillis } from '@tradewright/core/granularity'
import { boundNumber, BOUND_NAMES } from './buckets.ts'
import type { Segment } from './lake-file.ts'
import { type LakeReader, queryFiles } from './read-runs.ts'
import { conditionsOf, isCut, narrowFiles, numberSql, type Selection, wantedSegments, whereSql } from './selection.ts'
import { isNumberField, type NumberField, type SortKey } from './sort-order.ts'

interface NumberKey extends SortKey {
  readonly field: NumberField
}

/**
 * Ever larger selections of which one holds the first `rows` records of the sort: everything up to some value. The
 * first is a guess from the catalogue, certain where nothing is cut; the second asks the files. None where the sort is
 * by a word: the catalogue counts those.
 */
export async function* selectFirst(
  reader: LakeReader,
  selection: Selection,
  key: SortKey,
  rows: number,
): AsyncGenerator<Selection> {
  const { field, isDescending } = key
  if (!isNumberField(field)) return
  const upTo = (threshold: number) =>
    boundNumber(
      selection,
      field,
      isDescending ? { low: threshold, high: Infinity } : { low: -Infinity, high: threshold },
    )
  const guess = thresholdInCatalogue(selection, { field, isDescending }, rows)
  if (guess !== undefined) yield upTo(guess)
  if (!isCut(selection)) return
  const threshold = await thresholdInFiles(reader, selection, { field, isDescending }, rows)
  if (threshold !== undefined) yield upTo(threshold)
}

/** A range may cut off some of the records at the ends of segments, so this many times as many ends are asked for. */
const SLACK = 4

/** Each segment's greatest value is a record: with as many segments as rows, the least of those values is enough. */
function thresholdInCatalogue(
  selection: Selection,
  { field, isDescending }: NumberKey,
  rows: number,
): number | undefined {
  const segments = wantedSegments(selection)
  const ends = Float64Array.from(segments, (segment) => endOf(segment, { field, isDescending }, selection)).sort()
  const needed = isCut(selection) ? rows * SLACK : rows
  return isDescending ? ends.at(-needed) : ends[needed - 1]
}

/** A range mostly ends between two sessions, a few bars after the last one in it. */
const BARS_BETWEEN_SESSIONS = 5

function endOf(segment: Segment, { field, isDescending }: NumberKey, { range }: Selection): number {
  const [least, greatest] = BOUND_NAMES[field]
  const end = segment[isDescending ? greatest : least]
  if (field !== 'timestamp' || !range) return end
  const margin = BARS_BETWEEN_SESSIONS * granularityMillis(segment.words.granularity)
  return isDescending ? Math.min(end, range.to - margin) : Math.max(end, range.from + margin)
}

async function thresholdInFiles(
  reader: LakeReader,
  wide: Selection,
  { field, isDescending }: NumberKey,
  rows: number,
): Promise<number | undefined> {
  const selection = narrowFiles(wide)
  if (selection.files.length === 0) return undefined
  const where = whereSql(conditionsOf(selection))
  const order = isDescending ? 'DESC' : 'ASC'
  const sql = (source: string) =>
    `SELECT ${numberSql[field]} FROM (SELECT ${field} FROM ${source} ${where} ORDER BY ${field} ${order} LIMIT ${rows})`
  const [found] = (await queryFiles(reader, selection.files, sql)).columns
  return found!.length === 0 ? undefined : found!.sort().at(isDescending ? 0 : -1)
}
