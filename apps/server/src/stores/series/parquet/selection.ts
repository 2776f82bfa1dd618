import type { TimeRange } from '@tradewright/core/time'
import type { RecordFilter, SeriesQuery } from '@tradewright/engine/market/series-store'
import { quote } from './duck.ts'
import type { LakeFile, Segment } from './lake-file.ts'
import { isFound, searchedWords } from '../runs/word-filter.ts'
import { type SeriesWords, type WordName, wordNames } from '../runs/series-words.ts'

/** Which records of which files. */
export interface Selection {
  readonly files: readonly LakeFile[]
  readonly isWanted: (words: SeriesWords) => boolean
  readonly range?: TimeRange | undefined
  /** Found in any word of a record; part of `isWanted` already. */
  readonly search?: string | undefined
  /** Closed ranges of the other numbers of a record. */
  readonly bounds?: Readonly<Partial<Record<BoundedField, Bounds>>>
}

export type BoundedField = 'value' | 'collected_at'

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

/**
 * The selection for DuckDB. A filter names words column by column, so the words of the wanted segments, column by
 * column, say the same and let row groups be skipped; a search may hit any column, so it is said beside them.
 */
export function conditionsOf(selection: Selection): string[] {
  const { files, range, search } = selection
  const wanted = wantedSegments(selection)
  const sql: string[] = []
  for (const name of wordNames) {
    const words = new Set<string>(wanted.map((segment) => segment.words[name]))
    const isRestricting = files.some(({ segments }) => segments.some((one) => !words.has(one.words[name])))
    if (isRestricting) sql.push(oneOf(name, words))
  }
  if (search) sql.push(searchSql(wanted, search))
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

const oneOf = (name: WordName, words: Iterable<string>): string => `${name} IN (${Array.from(words, quote).join(', ')})`

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

export const timestampSql = (millis: number): string =>
  `make_timestamp(${BigInt(Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, millis))) * 1000n})`

export const sourceSql = (paths: readonly string[]): string =>
  `read_parquet([${paths.map(quote).join(', ')}], hive_partitioning = false)`

export const whereSql = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}`
