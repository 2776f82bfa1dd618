import { lowerBound } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StoredRun } from './removed-rows.ts'
import type { Duck, NumberColumns } from './duck.ts'
import { type LakeFile, type Segment, type LakeFolder, MissingFile, damagedFile } from './lake-file.ts'
import {
  conditionsOf,
  narrowFiles,
  type PlacedSegment,
  readWhole,
  type Selection,
  sourceSql,
  whereSql,
} from './selection.ts'
import { type RunColumn, sliceColumn, type SeriesKey } from '../runs.ts'

export interface LakeReader {
  readonly duck: Duck
  readonly folder: LakeFolder
}

const PLACE = ['file_index::DOUBLE', 'file_row_number::DOUBLE']
const RECORD = ['epoch_ms(timestamp)::DOUBLE', 'value']
const COLLECTED_AT = 'epoch_ms(collected_at)::DOUBLE'
const STORED_VERSION = 'stored_version::DOUBLE'
const STORED_STEP = 'stored_step::DOUBLE'
const KNOWN_AT = `coalesce(epoch_ms(known_at)::DOUBLE, 'NaN'::DOUBLE)`

/**
 * Reads the selected records, in the order of files and rows. No word is ever read: a file's segments say what each
 * row is about. With a limit, any so many of them.
 */
export const readRuns = (reader: LakeReader, wide: Selection, limit?: number): Promise<StoredRun[]> =>
  readSelected(reader, narrowFiles(wide), { limit })

/**
 * The same with the change that stored each record, which merges and reads as of an earlier moment need. It is read
 * only from files in which it differs within a series; for the others the catalogue knows it.
 */
export async function readVersionedRuns(reader: LakeReader, wide: Selection): Promise<StoredRun[]> {
  const selection = narrowFiles(wide)
  const {
    plain = [],
    stepped = [],
    mixed = [],
  } = Object.groupBy(selection.files, ({ segments }) => {
    if (segments.every(({ storedFirst, storedLast }) => storedFirst === storedLast)) return 'plain'
    return segments.some(({ hasSteps }) => hasSteps) ? 'stepped' : 'mixed'
  })
  const versions = new Map(plain.flatMap((file) => file.segments.map(({ words, storedFirst }) => [words, storedFirst])))
  const runs = await readSelected(reader, { ...selection, files: plain }, {})
  const versioned = await readSelected(reader, { ...selection, files: mixed }, { versions: STORED_VERSION })
  return [
    ...runs.map((run) => withVersion(run, versions.get(run.words)!)),
    ...versioned,
    ...(await readStepped(reader, { ...selection, files: stepped })),
  ]
}

/** Steps add up from the first row of a series: it is read whole, and cut then. */
async function readStepped(reader: LakeReader, { range, ...selection }: Selection): Promise<StoredRun[]> {
  const rowsOf = new Map(
    selection.files.map(({ path, segments }) => [path, new Map(segments.map(({ words, rows }) => [words, rows]))]),
  )
  const runs = await readSelected(reader, selection, { versions: STORED_STEP })
  return runs.flatMap((run) => {
    const versions = run.column.storedVersions!
    // DuckDB guarantees the order of rows, without which no sum would be right.
    if (versions.length !== rowsOf.get(run.path)?.get(run.words))
      throw new Error(`the rows of ${run.path} are not in order`)
    for (let row = 1; row < versions.length; row++) versions[row] = versions[row]! + versions[row - 1]!
    return cutTo(run, range)
  })
}

const withVersion = (run: StoredRun, version: number): StoredRun => ({
  words: run.words,
  path: run.path,
  get rowNumbers() {
    return run.rowNumbers
  },
  column: { ...run.column, storedVersions: new Float64Array(run.column.timestamps.length).fill(version) },
})

interface ReadOptions {
  readonly limit?: number | undefined
  /** How the change that stored each record is read as well. */
  readonly versions?: string
}

async function readSelected(
  reader: LakeReader,
  selection: Selection,
  { limit, versions }: ReadOptions,
): Promise<StoredRun[]> {
  if (selection.files.length === 0) return []
  const constants = { ...constantColumns(selection), versions }
  const whole = limit === undefined ? readWhole(selection) : undefined
  if (whole) {
    const longest = whole.segments.reduce((most, { segment }) => Math.max(most, segment.rows), 0)
    const read = await readColumns(reader, whole.selection, RECORD, constants)
    const runs = runsOfSegments(withConstants(read, RECORD.length, constants, longest), whole.segments)
    if (runs) return runs.filter(({ words }) => selection.isWanted(words)).flatMap((run) => cutTo(run, selection.range))
  }
  const asked = [...PLACE, ...RECORD]
  const read = await readColumns(reader, selection, asked, constants, limit)
  return runsIn(withConstants(read, asked.length, constants, read.rowCount), selection)
}

function cutTo(run: StoredRun, range: Selection['range']): StoredRun[] {
  const { timestamps } = run.column
  const [from, to] = range ? [lowerBound(timestamps, range.from), lowerBound(timestamps, range.to)] : [0, Infinity]
  if (from === 0 && to >= timestamps.length) return [run]
  if (from >= to) return []
  return [
    {
      words: run.words,
      path: run.path,
      get rowNumbers() {
        return run.rowNumbers.subarray(from, to)
      },
      column: sliceColumn(run.column, from, to),
    },
  ]
}

/** The columns that were asked for, and after them those that are no constants. */
async function readColumns(
  reader: LakeReader,
  selection: Selection,
  asked: readonly string[],
  constants: Constants,
  limit?: number,
): Promise<NumberColumns> {
  const columns = [
    ...asked,
    ...(constants.collectedAt === undefined ? [COLLECTED_AT] : []),
    ...(constants.knownAt === undefined ? [KNOWN_AT] : []),
    ...(constants.versions === undefined ? [] : [constants.versions]),
  ].join(', ')
  const where = whereSql(conditionsOf(selection))
  const atMost = limit === undefined ? '' : ` LIMIT ${limit}`
  return queryFiles(reader, selection.files, (source) => `SELECT ${columns} FROM ${source} ${where}${atMost}`)
}

/** A column that is the same in all rows need not be read. */
interface Constants {
  readonly collectedAt: number | undefined
  readonly knownAt: number | undefined
  readonly versions: string | undefined
}

function constantColumns({ files }: Selection): Omit<Constants, 'versions'> {
  const segments = files.flatMap((file) => file.segments)
  const collected = segments[0]!.collectedFirst
  const isCollectedAtOnce = segments.every((one) => one.collectedFirst === collected && one.collectedLast === collected)
  return {
    collectedAt: isCollectedAtOnce ? collected : undefined,
    knownAt: segments.some(({ hasKnownAt }) => hasKnownAt) ? undefined : Number.NaN,
  }
}

/** With the times of collection and publication after the others, and versions last; constant ones have `length` rows. */
function withConstants(
  { rowCount, columns }: NumberColumns,
  asked: number,
  { collectedAt, knownAt }: Constants,
  length: number,
): NumberColumns {
  const read = columns.slice(asked)
  const next = (constant: number | undefined) =>
    constant === undefined ? read.shift()! : new Float64Array(length).fill(constant)
  return { rowCount, columns: [...columns.slice(0, asked), next(collectedAt), next(knownAt), ...read] }
}

/** Rows of one thread come in order; those of another follow them or not. Each ordered part is taken by itself. */
function runsIn(rows: NumberColumns, selection: Selection): StoredRun[] {
  const [fileIndices, rowNumbers] = rows.columns as [Float64Array, Float64Array]
  const runs: StoredRun[] = []
  for (let start = 0; start < rows.rowCount;) {
    let end = start + 1
    while (end < rows.rowCount && isAfter(fileIndices, rowNumbers, end)) end++
    runs.push(
      ...runsInOrder(
        rows.columns.map((column) => column.subarray(start, end)),
        selection,
      ),
    )
    start = end
  }
  return runs
}

const isAfter = (fileIndices: Float64Array, rowNumbers: Float64Array, row: number): boolean =>
  fileIndices[row]! > fileIndices[row - 1]! ||
  (fileIndices[row] === fileIndices[row - 1] && rowNumbers[row]! > rowNumbers[row - 1]!)

function* runsInOrder(columns: readonly Float64Array[], { files, isWanted }: Selection): Generator<StoredRun> {
  const [fileIndices, rowNumbers] = columns as [Float64Array, Float64Array]
  for (let start = 0; start < fileIndices.length;) {
    const index = fileIndices[start]!
    const file = files[index]!
    const fileEnd = lowerBound(fileIndices, index + 1, start)
    for (let segment = segmentAt(file, rowNumbers[start]!); start < fileEnd; segment++) {
      const { words, offset, rows } = file.segments[segment]!
      const end = lowerBound(rowNumbers, offset + rows, start, fileEnd)
      if (end > start && isWanted(words)) {
        const [numbers, ...record] = columns.slice(1).map((one) => one.subarray(start, end))
        yield storedRun(file, words, numbers!, record)
      }
      start = end
    }
  }
}

function storedRun(
  { path }: LakeFile,
  words: SeriesKey,
  rowNumbers: Float64Array,
  record: readonly Float64Array[],
): StoredRun {
  return { words, path, rowNumbers, column: columnOf(record) }
}

function columnOf(record: readonly Float64Array[]): RunColumn {
  const [timestamps, values, collectedAt, knownAt, storedVersions] = record
  const column = { timestamps: timestamps!, values: values!, collectedAt: collectedAt!, knownAt: knownAt! }
  return storedVersions ? { ...column, storedVersions } : column
}

/**
 * Rows of whole segments, which need no numbers: they come in the order of files and rows. Undefined should they not:
 * DuckDB guarantees the order, but a mistake would mix up series.
 */
function runsOfSegments(
  { rowCount, columns }: NumberColumns,
  whole: readonly PlacedSegment[],
): StoredRun[] | undefined {
  const [stamps] = columns
  const runs: StoredRun[] = []
  let start = 0
  for (const { file, segment } of whole) {
    const end = start + segment.rows
    if (stamps![start] !== segment.first || stamps![end - 1] !== segment.last) return undefined
    runs.push(wholeRun(file, segment, columns, start, rowCount))
    start = end
  }
  return start === rowCount ? runs : undefined
}

/** A column of constants is shorter than the others: it is the same for every run. */
function wholeRun(
  { path }: LakeFile,
  { words, offset, rows }: Segment,
  columns: readonly Float64Array[],
  start: number,
  rowCount: number,
): StoredRun {
  const part = (values: Float64Array) =>
    values.length === rowCount ? values.subarray(start, start + rows) : values.subarray(0, rows)
  return {
    words,
    path,
    // Few ask for it.
    get rowNumbers() {
      return Float64Array.from({ length: rows }, (_, row) => offset + row)
    },
    column: columnOf(columns.map(part)),
  }
}

function segmentAt({ segments }: LakeFile, row: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (segments[middle]!.offset + segments[middle]!.rows <= row) low = middle + 1
    else high = middle
  }
  return low
}

/** Runs a query over files; when one of them cannot be read, the Problem names it. */
export async function queryFiles(
  { duck, folder }: LakeReader,
  files: readonly LakeFile[],
  sqlOver: (source: string) => string,
): Promise<NumberColumns> {
  const query = () => folder.reading(files, (names) => duck.numbers(sqlOver(sourceSql(names))))
  try {
    return await query()
  } catch (error) {
    if (error instanceof Problem || error instanceof MissingFile) throw error
    // A file changed or went away since it was compared: that is told now, or a copy of it is fetched again.
    folder.distrust(files)
    return query().catch(async (again: unknown) => {
      throw (await findDamaged({ duck, folder }, files)) ?? again
    })
  }
}

async function findDamaged({ duck, folder }: LakeReader, files: readonly LakeFile[]): Promise<Problem | undefined> {
  for (const file of files) {
    try {
      await folder.reading([file], (names) =>
        duck.numbers(
          `SELECT sum(value) + sum(epoch_ms(timestamp)) + count(ticker) + count(collected_at) FROM ${sourceSql(names)}`,
        ),
      )
    } catch (error) {
      if (error instanceof MissingFile) throw error
      return error instanceof Problem ? error : damagedFile(file.path, error)
    }
  }
  return undefined
}
