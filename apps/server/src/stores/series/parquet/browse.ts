import type { DataRecord } from '@tradewright/engine/market/series'
import type { BrowsePage, BrowseQuery } from '@tradewright/engine/market/series-store'
import { countByField, restrictTo } from './buckets.ts'
import { searchFilter, wordFilter } from '../runs/word-filter.ts'
import { selectFirst } from './shallow-page.ts'
import { recordsIn } from './catalogue.ts'
import type { LakeFile } from './lake-file.ts'
import { type LakeReader, queryFiles, readRuns } from './read-runs.ts'
import { conditionsOf, narrowFiles, type Selection, wantedSegments, whereSql } from './selection.ts'
import { selectEnds } from './segment-ends.ts'
import { compareRows, type RowReference, type SortKey, sortKeys } from './sort-order.ts'
import { rowRangesOf } from './row-ranges.ts'

/** Most records that are sorted in memory; more are first cut down by counting. */
export const SORTED_AT_ONCE = 50_000

/** Pages up to here are found by their first value instead of by counting. */
const SHALLOW_ROWS = 2_000

interface Sort {
  readonly keys: readonly SortKey[]
  readonly sortedAtOnce: number
}

interface Window {
  readonly skip: number
  readonly take: number
}

/**
 * One page of records. A sort of millions for the sake of fifty is avoided: records are counted by buckets of the sort
 * field, and only the buckets that the page touches are read. A deep page costs what the first one costs.
 */
export async function browseFiles(
  reader: LakeReader,
  files: readonly LakeFile[],
  query: BrowseQuery,
  sortedAtOnce: number,
): Promise<BrowsePage> {
  const selection = browseSelection(files, query)
  const sort = { keys: sortKeys(query.sortBy, query.sortOrder), sortedAtOnce }
  const window = { skip: (query.page - 1) * query.perPage, take: query.perPage }
  const upperBound = recordsIn(wantedSegments(selection))
  if (upperBound <= sortedAtOnce) {
    const rows = await readSorted(reader, selection, sort.keys)
    return { total: rows.length, records: slice(rows, window).map(toRecord) }
  }
  const ranges = await rowRangesOf(reader, selection)
  const ends = ranges && selectEnds(selection, ranges, sort.keys, window)
  if (ends) return { total: recordsIn(ranges), records: (await readSorted(reader, ends, sort.keys)).map(toRecord) }
  const counting = ranges ? recordsIn(ranges) : count(reader, selection)
  const [total, shallow] = await Promise.all([counting, shallowPage(reader, selection, sort, window)])
  if (shallow && shallow.reach >= Math.min(total, window.skip + window.take)) {
    return { total, records: shallow.rows.map(toRecord) }
  }
  const take = Math.min(window.take, total - window.skip)
  const rows = await pageOf(reader, selection, sort, { total, window: { skip: window.skip, take } })
  return { total, records: rows.map(toRecord) }
}

/** A page near the start, unless too many records share the values it begins with. `reach`: so many are in order. */
async function shallowPage(
  reader: LakeReader,
  selection: Selection,
  { keys, sortedAtOnce }: Sort,
  window: Window,
): Promise<{ rows: RowReference[]; reach: number } | undefined> {
  const wanted = window.skip + window.take
  if (wanted > Math.min(SHALLOW_ROWS, sortedAtOnce)) return undefined
  let best: { rows: RowReference[]; reach: number } | undefined
  for await (const first of selectFirst(reader, selection, keys[0]!, wanted)) {
    const found = await readSorted(reader, first, keys, sortedAtOnce + 1)
    if (found.length > sortedAtOnce) return undefined
    best = { rows: slice(found, window), reach: found.length }
    if (found.length >= wanted) return best
  }
  return best
}

function browseSelection(files: readonly LakeFile[], query: BrowseQuery): Selection {
  const passesFilter = wordFilter(query)
  const search = query.search || undefined
  const passesSearch = search === undefined ? () => true : searchFilter(search)
  return {
    files: files.filter(({ layer }) => layer === query.layer),
    isWanted: (words) => passesFilter(words) && passesSearch(words),
    range: query.range,
    search,
  }
}

async function pageOf(
  reader: LakeReader,
  selection: Selection,
  sort: Sort,
  { total, window }: { total: number; window: Window },
  decided = 0,
): Promise<RowReference[]> {
  if (window.take <= 0) return []
  const { keys, sortedAtOnce } = sort
  const key = keys[decided]
  if (total <= sortedAtOnce || !key) return slice(await readSorted(reader, selection, keys), window)
  const buckets = await countByField(reader, selection, key, total)
  const touched: { bucket: (typeof buckets)[number]; start: number }[] = []
  let start = 0
  for (const bucket of buckets) {
    if (start < window.skip + window.take && start + bucket.count > window.skip) touched.push({ bucket, start })
    start += bucket.count
  }
  const touchedTotal = touched.reduce((sum, { bucket }) => sum + bucket.count, 0)
  if (touchedTotal <= sortedAtOnce) {
    const narrowed = restrictTo(
      selection,
      key,
      touched.map(({ bucket }) => bucket),
    )
    return slice(await readSorted(reader, narrowed, keys), { ...window, skip: window.skip - (touched[0]?.start ?? 0) })
  }
  const rows: RowReference[] = []
  for (const { bucket, start: before } of touched) {
    const skip = Math.max(0, window.skip - before)
    const take = Math.min(bucket.count - skip, window.skip + window.take - before - skip)
    const part = { total: bucket.count, window: { skip, take } }
    const narrowed = restrictTo(selection, key, [bucket])
    rows.push(...(await pageOf(reader, narrowed, sort, part, bucket.isPoint ? decided + 1 : decided)))
  }
  return rows
}

async function count(reader: LakeReader, wide: Selection): Promise<number> {
  const selection = narrowFiles(wide)
  const where = whereSql(conditionsOf(selection))
  const { columns } = await queryFiles(
    reader,
    selection.files,
    (source) => `SELECT count(*)::DOUBLE FROM ${source} ${where}`,
  )
  return columns[0]![0]!
}

async function readSorted(
  reader: LakeReader,
  selection: Selection,
  keys: readonly SortKey[],
  limit?: number,
): Promise<RowReference[]> {
  const runs = await readRuns(reader, selection, limit)
  const rows = runs.flatMap((run) => Array.from(run.column.timestamps, (_, row): RowReference => ({ run, row })))
  return rows.sort((a, b) => compareRows(keys, a, b))
}

const slice = (rows: readonly RowReference[], { skip, take }: Window): RowReference[] => rows.slice(skip, skip + take)

function toRecord({ run: { words, column }, row }: RowReference): DataRecord {
  const knownAt = column.knownAt[row]!
  return {
    ...words,
    timestamp: column.timestamps[row]!,
    value: column.values[row]!,
    collectedAt: column.collectedAt[row]!,
    knownAt: Number.isNaN(knownAt) ? undefined : knownAt,
  }
}
