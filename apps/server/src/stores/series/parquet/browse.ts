import type { DataRecord } from '@tradewright/engine/market/series'
import type { BrowsePage, BrowseQuery, AvailableData, SeriesSummary } from '@tradewright/engine/market/series-store'
import { granularityMillis } from '@tradewright/core/granularity'
import {
  countByField,
  restrictTo,
  boundNumber,
  BOUND_NAMES,
  compareRows,
  type RowReference,
  type SortKey,
  sortKeys,
  type SortField,
  isNumberField,
  type NumberField,
} from './buckets.ts'
import { searchFilter, wordFilter, type SeriesKey } from '../runs.ts'
import { type LakeFile, type Segment, segmentsOf } from './lake-file.ts'
import { type LakeReader, queryFiles, readRuns } from './read-runs.ts'
import {
  conditionsOf,
  narrowFiles,
  type Selection,
  wantedSegments,
  whereSql,
  isInside,
  isCut,
  numberSql,
} from './selection.ts'

interface NumberKey extends SortKey {
  readonly field: NumberField
}

/**
 * Ever larger selections of which one holds the first `rows` records of the sort: everything up to some value. The
 * first is a guess from the catalogue, certain where nothing is cut; the second asks the files. None where the sort is
 * by a word: the catalogue counts those.
 */
async function* selectFirst(
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

/** The rows of a segment that a selection takes, which lie one behind the other. */
interface RowRange {
  readonly segment: Segment
  readonly rows: number
  readonly first: number
  readonly last: number
}

/** Above this, reading the rows takes longer than to count all there are. */
const MAX_ROWS_READ = 500_000

/**
 * The part of every segment in a range. Series of one market mostly have the same stamps, which the catalogue knows, so
 * that one of them tells where the range cuts all of them. Undefined where there are too many different ones.
 */
async function rowRangesOf(reader: LakeReader, wide: Selection): Promise<RowRange[] | undefined> {
  const selection = narrowFiles(wide)
  const wanted = wantedSegments(selection)
  const cut = wanted.filter((segment) => !isInside(segment, selection.range))
  if (cut.some(({ stamps }) => stamps === 0)) return undefined
  const alike = Map.groupBy(cut, keyOfStamps)
  const examples = Array.from(alike.values(), ([example]) => example!)
  if (recordsIn(examples) > Math.min(MAX_ROWS_READ, recordsIn(cut) / 4)) return undefined
  const taken = await takenOf(reader, selection, examples)
  return wanted.flatMap((segment) => {
    const { rows, first, last } = segment
    const part = isInside(segment, selection.range) ? { rows, first, last } : taken.get(keyOfStamps(segment))
    return part ? [{ ...part, segment }] : []
  })
}

const keyOfStamps = ({ stamps, rows, first, last }: Segment): string => [stamps, rows, first, last].join(' ')

async function takenOf(
  reader: LakeReader,
  selection: Selection,
  examples: readonly Segment[],
): Promise<Map<string, Omit<RowRange, 'segment'>>> {
  const taken = new Map<string, Omit<RowRange, 'segment'>>()
  if (examples.length === 0) return taken
  // Every segment has words of its own, so these very objects tell them apart.
  const byWords = new Map(examples.map((segment) => [segment.words, segment]))
  const runs = await readRuns(reader, { ...selection, search: undefined, isWanted: (words) => byWords.has(words) })
  for (const { words, column } of runs) {
    const { timestamps } = column
    const key = keyOfStamps(byWords.get(words)!)
    const before = taken.get(key)
    taken.set(key, {
      rows: timestamps.length + (before?.rows ?? 0),
      first: Math.min(timestamps[0]!, before?.first ?? Infinity),
      last: Math.max(timestamps.at(-1)!, before?.last ?? -Infinity),
    })
  }
  return taken
}

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

/**
 * A page by time that lies within the newest (or oldest) stamp: most series of a store end on the same day. Which
 * series have a record there, and in which order they come, is known, so that only the page itself need be read.
 * Undefined where the page reaches beyond that stamp.
 */
function selectEnds(
  selection: Selection,
  ranges: readonly RowRange[],
  [first, ...ties]: readonly SortKey[],
  { skip, take }: { readonly skip: number; readonly take: number },
): Selection | undefined {
  if (first?.field !== 'timestamp') return undefined
  const end = first.isDescending ? 'last' : 'first'
  const stamp = ranges.reduce(
    (found, one) => (first.isDescending ? Math.max(found, one[end]) : Math.min(found, one[end])),
    first.isDescending ? -Infinity : Infinity,
  )
  const ending = ranges.filter((one) => one[end] === stamp).map(({ segment }) => segment)
  if (ending.length < skip + take) return undefined
  const onPage = ending.sort((a, b) => compareSegments(ties, a, b)).slice(skip, skip + take)
  // No other segment has a record of the same key at this stamp, so these very objects tell them apart.
  const words = new Set(onPage.map((segment) => segment.words))
  return {
    ...selection,
    isWanted: (one) => words.has(one),
    search: undefined,
    range: { from: stamp, to: stamp + 1 },
  }
}

function compareSegments(ties: readonly SortKey[], a: Segment, b: Segment): number {
  for (const { field, isDescending } of ties) {
    const [left, right] = [wordOf(a, field), wordOf(b, field)]
    if (left !== right) return left < right === isDescending ? 1 : -1
  }
  return 0
}

/** After the timestamp, all ties are broken by words. */
const wordOf = ({ words }: Segment, field: SortField): string => words[field as keyof typeof words]

/** From the segments alone: no data file is opened. */
export function availableIn(files: readonly LakeFile[]): AvailableData {
  const segments = files.flatMap((file) => file.segments)
  const distinct = <K extends keyof SeriesKey>(name: K): SeriesKey[K][] =>
    [...new Set(segments.map(({ words }) => words[name]))].sort()
  return {
    tickers: distinct('ticker'),
    categories: distinct('category'),
    providers: distinct('provider'),
    granularities: distinct('granularity'),
    stamps: segments.length === 0 ? undefined : { min: least(segments, 'first'), max: greatest(segments, 'last') },
  }
}

/** Segments cut to the selection's range; only those that lie across its border are read from their files. */
export async function selectSegments(reader: LakeReader, selection: Selection): Promise<Segment[]> {
  const { range, isWanted } = selection
  const whole = wantedSegments(selection)
  if (!range || whole.every((segment) => isInside(segment, range))) return whole
  const crossing = selection.files.filter(({ segments }) =>
    segments.some((segment) => isWanted(segment.words) && !isInside(segment, range)),
  )
  const uncut = selection.files.filter((file) => !crossing.includes(file))
  const runs = await readRuns(reader, { ...selection, files: crossing })
  return [...wantedSegments({ ...selection, files: uncut }), ...segmentsOf(runs)]
}

export function summarise(segments: readonly Segment[]): SeriesSummary[] {
  const groups = Map.groupBy(segments, ({ words: { ticker, granularity, provider } }) =>
    JSON.stringify([ticker, granularity, provider]),
  )
  return [...groups.values()].map((group) => {
    const { ticker, type, granularity, provider } = group[0]!.words
    return {
      ticker,
      type,
      granularity,
      provider,
      categories: [...new Set(group.map(({ words }) => words.category))].sort(),
      records: recordsIn(group),
      first: least(group, 'first'),
      last: greatest(group, 'last'),
      collectedAt: greatest(group, 'collectedLast'),
    }
  })
}

export const recordsIn = (counted: readonly { readonly rows: number }[]): number =>
  counted.reduce((sum, { rows }) => sum + rows, 0)

const least = (segments: readonly Segment[], name: 'first' | 'least' | 'collectedFirst'): number =>
  segments.reduce((found, segment) => Math.min(found, segment[name]), Number.POSITIVE_INFINITY)

const greatest = (segments: readonly Segment[], name: 'last' | 'greatest' | 'collectedLast'): number =>
  segments.reduce((found, segment) => Math.max(found, segment[name]), Number.NEGATIVE_INFINITY)
