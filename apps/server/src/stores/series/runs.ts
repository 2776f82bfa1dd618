import {
  columnRecords,
  type StoredColumn,
  addCounts,
  noWrites,
  upsertColumn,
} from '@tradewright/engine/market/layers/upsert'
import {
  type SeriesBlock,
  type Layer,
  currenciesOf,
  type SeriesSource,
  type SeriesTable,
} from '@tradewright/engine/market/series'
import type { Category } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { WriteCounts, RecordFilter } from '@tradewright/engine/market/series-store'
import { setImmediate as nextTurn } from 'node:timers/promises'

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

function ascends(stamps: Float64Array): boolean {
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

/** The words of a series: everything about its records that is text and not a number. */
export interface SeriesKey {
  readonly ticker: string
  readonly granularity: Granularity
  readonly category: Category
  readonly provider: string
  readonly type: TickerKind
  readonly currency: string
}

/** The order of the words by which files are sorted. */
export const wordNames = ['ticker', 'granularity', 'category', 'provider', 'type', 'currency'] as const

export type WordName = (typeof wordNames)[number]

function compareKeys(a: SeriesKey, b: SeriesKey): number {
  for (const name of wordNames) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  }
  return 0
}

export const isSameKey = (a: SeriesKey, b: SeriesKey): boolean => compareKeys(a, b) === 0

/** Records whose stamps are equal and whose key is equal are one and the same record. */
export const keyOf = (layer: Layer, { ticker, granularity, category, provider }: SeriesKey): string =>
  JSON.stringify(layer === 'gold' ? [ticker, granularity, category] : [ticker, granularity, category, provider])

/** Brings runs into the order of a file: by words, one run for equal words, by time. No stamp may be in two of them. */
export function mergeRuns(runs: readonly Run[]): Run[] {
  const sorted = runs.toSorted((a, b) => compareKeys(a.words, b.words))
  const merged: Run[] = []
  for (let start = 0; start < sorted.length;) {
    const { words } = sorted[start]!
    let end = start + 1
    while (end < sorted.length && isSameKey(words, sorted[end]!.words)) end++
    const column = joinByTime(sorted.slice(start, end).map((run) => run.column))
    if (column.timestamps.length > 0) merged.push({ words, column })
    start = end
  }
  return merged
}

function joinByTime(columns: readonly RunColumn[]): RunColumn {
  const filled = columns.filter(({ timestamps }) => timestamps.length > 0)
  const joined = joinColumns(filled.toSorted((a, b) => a.timestamps[0]! - b.timestamps[0]!))
  if (ascends(joined.timestamps)) return joined
  const { timestamps } = joined
  const rows = Uint32Array.from(timestamps, (_, row) => row).sort((a, b) => timestamps[a]! - timestamps[b]!)
  const sorted = takeRows(joined, rows)
  if (!ascends(sorted.timestamps)) throw new Error('one record is in two runs')
  return sorted
}

/** The rows of a write, by key. */
interface Incoming {
  readonly runs: ReadonlyMap<string, readonly Run[]>
  /** Records that came twice in one write; the later one counts. */
  readonly repeated: WriteCounts
}

export function incomingRuns(layer: Layer, blocks: readonly SeriesBlock[]): Incoming {
  const runs = new Map<string, Run[]>()
  let repeated = noWrites
  for (const run of blocks.flatMap(runsOfBlock)) {
    const key = keyOf(layer, run.words)
    const earlier = runs.get(key)
    if (!earlier) runs.set(key, [run])
    else {
      const result = writeOver(earlier, run)
      runs.set(key, result.runs)
      repeated = addCounts(repeated, result.repeated)
    }
  }
  return { runs, repeated }
}

function writeOver(earlier: readonly Run[], later: Run): { runs: Run[]; repeated: WriteCounts } {
  const stamps = new Set(later.column.timestamps)
  const others: Run[] = []
  let own = later
  let repeated = noWrites
  for (const run of earlier) {
    if (isSameKey(run.words, later.words)) {
      const { column, counts } = upsertColumn(run.column, later.column)
      own = { words: later.words, column }
      repeated = addCounts(repeated, { ...counts, inserted: 0 })
      continue
    }
    const rows = [...run.column.timestamps.keys()].filter((row) => !stamps.has(run.column.timestamps[row]!))
    const taken = run.column.timestamps.length - rows.length
    repeated = addCounts(repeated, { ...noWrites, replaced: taken })
    if (rows.length > 0) others.push({ words: run.words, column: takeRows(run.column, rows) })
  }
  return { runs: [...others, own], repeated }
}

/**
 * Runs to tables: one per ticker in gold, one per ticker and provider elsewhere. A year of minutes takes some
 * milliseconds, and between two tables others have their turn.
 */
export async function tablesOf(layer: Layer, runs: readonly Run[]): Promise<SeriesTable[]> {
  const groups = Map.groupBy(runs, ({ words }) =>
    layer === 'gold' ? words.ticker : JSON.stringify([words.ticker, words.provider]),
  )
  const tables: SeriesTable[] = []
  for (const own of groups.values()) {
    tables.push(tableOf(own))
    if (tables.length < groups.size) await nextTurn()
  }
  return tables
}

function tableOf(runs: readonly Run[]): SeriesTable {
  const { ticker, granularity, type } = runs[0]!.words
  const currency = currenciesOf(runs.map(({ words }) => words))
  const byCategory = Map.groupBy(runs, ({ words }) => words.category)
  const joined = [...byCategory].map(
    ([category, own]) => [category, joinByTime(own.map(({ column }) => column))] as const,
  )
  const timestamps = unionOfStamps(joined.map(([, column]) => column.timestamps))
  const columns: Record<Category, Float64Array> = {}
  let knownAt: Float64Array | undefined
  for (const [category, column] of joined) {
    columns[category] = spread(column.values, column.timestamps, timestamps)
    if (!hasInstants(column.knownAt)) continue
    knownAt ??= new Float64Array(timestamps.length).fill(Number.NaN)
    keepLater(knownAt, spread(column.knownAt, column.timestamps, timestamps))
  }
  const rows = { ticker, granularity, type, currency, timestamps, columns, sources: sourcesOf(runs, timestamps) }
  return knownAt ? { ...rows, knownAt } : rows
}

function unionOfStamps(lists: readonly Float64Array[]): Float64Array {
  const [first, ...others] = lists.toSorted((a, b) => b.length - a.length)
  // Categories of one provider mostly have the same stamps.
  if (others.every((other) => isSubset(other, first!))) return first!.slice()
  return Float64Array.from(new Set(lists.flatMap((list) => [...list]))).sort()
}

function hasInstants(instants: Float64Array): boolean {
  for (let i = 0; i < instants.length; i++) if (!Number.isNaN(instants[i]!)) return true
  return false
}

function isSubset(part: Float64Array, whole: Float64Array): boolean {
  if (part.length === whole.length) return areEqual(part, whole)
  let at = 0
  for (let i = 0; i < part.length; i++) {
    while (at < whole.length && whole[at]! < part[i]!) at++
    if (whole[at] !== part[i]) return false
  }
  return true
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Values at their stamps, with NaN where there is none. */
function spread(values: Float64Array, stamps: Float64Array, all: Float64Array): Float64Array {
  if (stamps.length === all.length) return values.slice()
  const target = new Float64Array(all.length).fill(Number.NaN)
  for (let i = 0, at = 0; i < stamps.length; i++) {
    while (all[at]! < stamps[i]!) at++
    target[at] = values[i]!
  }
  return target
}

/** A row is known when the last of its values is: an earlier answer would look ahead. */
function keepLater(target: Float64Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++)
    if (!(values[i]! <= target[i]!) && !Number.isNaN(values[i]!)) target[i] = values[i]!
}

function sourcesOf(runs: readonly Run[], all: Float64Array): SeriesSource[] {
  return [...Map.groupBy(runs, ({ words }) => words.provider)].map(([provider, own]) => {
    const stamps = own.length === runs.length ? all : stampsOf(own)
    const collectedAt = own.reduce((newest, { column }) => Math.max(newest, greatest(column.collectedAt)), -Infinity)
    return { provider, rows: stamps.length, from: stamps[0]!, last: stamps.at(-1)!, collectedAt }
  })
}

function stampsOf(runs: readonly Run[]): Float64Array {
  const perCategory = [...Map.groupBy(runs, ({ words }) => words.category).values()]
  return unionOfStamps(perCategory.map((some) => joinByTime(some.map(({ column }) => column)).timestamps))
}

function greatest(values: Float64Array): number {
  let found = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) if (values[i]! > found) found = values[i]!
  return found
}

const admits = (allowed: readonly string[] | undefined): ((word: string) => boolean) => {
  if (allowed === undefined || allowed.length === 0) return () => true
  const set = new Set(allowed)
  return (word) => set.has(word)
}

export function wordFilter(filter: Omit<RecordFilter, 'layer' | 'range'>): (words: SeriesKey) => boolean {
  const ticker = admits(filter.tickers)
  const category = admits(filter.categories)
  const provider = admits(filter.providers)
  const granularity = admits(filter.granularities)
  return (words) =>
    ticker(words.ticker) && category(words.category) && provider(words.provider) && granularity(words.granularity)
}

export const searchedWords = ['ticker', 'category', 'type', 'currency', 'provider'] as const

export const isFound = (word: string, search: string): boolean => word.toLowerCase().includes(search.toLowerCase())

/** There is one rule for upper and lower case in all stores, and it is this one. */
export const searchFilter =
  (search: string): ((words: SeriesKey) => boolean) =>
  (words) =>
    searchedWords.some((name) => isFound(words[name], search))
