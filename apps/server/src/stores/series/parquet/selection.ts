import type { TimeRange } from '@tradewright/core/time'
import type { RecordFilter, SeriesQuery } from '@tradewright/engine/market/series-store'
import { quote } from './duck.ts'
import type { LakeFile, Segment } from './lake-file.ts'
import { isFound, searchedWords, type SeriesKey, type WordName, wordNames } from '../runs.ts'

/** Which records of which files. */
export interface Selection {
  readonly files: readonly LakeFile[]
  readonly isWanted: (words: SeriesKey) => boolean
  readonly range?: TimeRange | undefined
  /** Found in any word of a record; part of `isWanted` already. */
  readonly search?: string | undefined
  /** Closed ranges of the other numbers of a record. */
  readonly bounds?: Readonly<Partial<Record<BoundedField, Bounds>>>
}

type BoundedField = 'value' | 'collected_at'

export interface Bounds {
  readonly low: number
  readonly high: number
}

export const filterOfQuery = ({ granularity, ...query }: SeriesQuery): RecordFilter => ({
  ...query,
  granularities: [granularity],
})

const overlaps = ({ first, last }: Segment, range: TimeRange | undefined): boolean =>
  !range || (first < range.to && last >= range.from)

export const isInside = ({ first, last }: Segment, range: TimeRange | undefined): boolean =>
  !range || (first >= range.from && last < range.to)

/** The segments in which a wanted record may lie. */
export const wantedSegments = ({ files, isWanted, range }: Selection): Segment[] =>
  files.flatMap(({ segments }) => segments.filter((one) => isWanted(one.words) && overlaps(one, range)))

/** Whether it takes some records of a segment and leaves others. */
export const isCut = (selection: Selection): boolean =>
  selection.bounds !== undefined || !wantedSegments(selection).every((segment) => isInside(segment, selection.range))

/** The same selection without the files that cannot hold any of it. */
export function narrowFiles(selection: Selection): Selection {
  const { files, isWanted, range } = selection
  const needed = files.filter(({ segments }) => segments.some((one) => isWanted(one.words) && overlaps(one, range)))
  return { ...selection, files: needed }
}

export interface PlacedSegment {
  readonly file: LakeFile
  readonly segment: Segment
}

/**
 * The segments whose rows DuckDB gives for the conditions of a selection, if it gives each of them whole: those that
 * are wanted, and others that have all their words, one from each. Undefined where it cuts one.
 */
function wholeSegments(selection: Selection): PlacedSegment[] | undefined {
  const { files, range, search, bounds } = selection
  if (search || bounds) return undefined
  const restricted = restrictedWords(selection)
  const given = files.flatMap((file) =>
    file.segments
      .filter(({ words }) => restricted.every(([name, allowed]) => allowed.has(words[name])))
      .map((segment) => ({ file, segment })),
  )
  if (!range || isUncut(selection, range)) return given
  const inside = given.filter(({ segment }) => isInside(segment, range))
  const isAnyCut = given.length > inside.length && given.some(({ segment }) => isAcross(segment, range))
  return isAnyCut ? undefined : inside
}

/** A question whose answer is whole segments. */
interface WholeReading {
  readonly selection: Selection
  readonly segments: readonly PlacedSegment[]
}

/**
 * Where a range takes most of what it cuts, reading all of it and cutting here is less work than asking for the place of
 * every row.
 */
export function readWhole(selection: Selection): WholeReading | undefined {
  const segments = wholeSegments(selection)
  if (segments) return { selection, segments }
  const { range } = selection
  const uncut = { ...selection, range: undefined }
  const all = range && wholeSegments(uncut)
  if (!all) return undefined
  const rows = all.reduce((sum, { segment }) => sum + segment.rows, 0)
  const taken = all.reduce((sum, { segment }) => sum + segment.rows * shareOf(segment, range), 0)
  return taken * 2 >= rows ? { selection: uncut, segments: all } : undefined
}

/** The part of a segment's time that lies in the range; its rows are spread over it, more or less. */
function shareOf({ first, last }: Segment, { from, to }: TimeRange): number {
  const length = last - first + 1
  return Math.max(0, Math.min(last + 1, to) - Math.max(first, from)) / length
}

const isAcross = (segment: Segment, range: TimeRange): boolean => overlaps(segment, range) && !isInside(segment, range)

/** The words of the wanted segments, by name, where they leave any out. */
function restrictedWords(selection: Selection): [WordName, ReadonlySet<string>][] {
  const wanted = wantedSegments(selection)
  return wordNames.flatMap((name): [WordName, ReadonlySet<string>][] => {
    const words = new Set<string>(wanted.map((segment) => segment.words[name]))
    const isRestricting = selection.files.some(({ segments }) => segments.some((one) => !words.has(one.words[name])))
    return isRestricting ? [[name, words]] : []
  })
}

/**
 * The selection for DuckDB. A filter names words column by column, so the words of the wanted segments, column by
 * column, say the same and let row groups be skipped; a search may hit any column, so it is said beside them.
 */
export function conditionsOf(selection: Selection): string[] {
  const { range, search } = selection
  const sql = restrictedWords(selection).map(([name, words]) => oneOf(name, words))
  if (search) sql.push(searchSql(wantedSegments(selection), search))
  if (range && !isUncut(selection, range)) {
    if (Number.isFinite(range.from)) sql.push(`timestamp >= ${timestampSql(Math.ceil(range.from))}`)
    if (Number.isFinite(range.to)) sql.push(`timestamp < ${timestampSql(Math.ceil(range.to))}`)
  }
  for (const [field, { low, high }] of Object.entries(selection.bounds ?? {})) {
    const number = numberSql[field as BoundedField]
    if (Number.isFinite(low)) sql.push(`${number} >= ${double(low)}`)
    if (Number.isFinite(high)) sql.push(`${number} <= ${double(high)}`)
  }
  return sql
}

/** Segments that the range leaves out count too: their rows must not come along with those of their neighbours. */
const isUncut = ({ files, isWanted }: Selection, range: TimeRange): boolean =>
  files.every(({ segments }) => segments.every((one) => !isWanted(one.words) || isInside(one, range)))

/** Longer lists DuckDB turns into a join, which costs more than looking a word up and mixes up the order of rows. */
const MAX_IN_LIST = 4

function oneOf(name: WordName, words: Iterable<string>): string {
  const list = Array.from(words, quote)
  return list.length <= MAX_IN_LIST ? `${name} IN (${list.join(', ')})` : `list_contains([${list.join(', ')}], ${name})`
}

/** Which words a search finds is decided here and not by DuckDB: there is one rule for upper and lower case. */
function searchSql(wanted: readonly Segment[], search: string): string {
  const hits = searchedWords.flatMap((name) => {
    const words = new Set<string>(wanted.map((segment) => segment.words[name]))
    const found = [...words].filter((word) => isFound(word, search))
    // A word that all wanted segments share makes every other condition of the search idle.
    if (found.length > 0 && found.length === words.size) return [`true`]
    return found.length > 0 ? [oneOf(name, found)] : []
  })
  return hits.includes('true') ? 'true' : hits.join(' OR ')
}

export const numberSql = {
  timestamp: 'epoch_ms(timestamp)::DOUBLE',
  value: 'value',
  collected_at: 'epoch_ms(collected_at)::DOUBLE',
} as const

export const double = (value: number): string => `'${value}'::DOUBLE`

/** DuckDB's timestamps end where a JavaScript date does, within a factor. */
const LAST_INSTANT = 8.64e15

const timestampSql = (millis: number): string =>
  `make_timestamp(${BigInt(Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, millis))) * 1000n})`

export const sourceSql = (paths: readonly string[]): string =>
  `read_parquet([${paths.map(quote).join(', ')}], hive_partitioning = false)`

export const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}`
