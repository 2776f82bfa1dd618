import { lowerBound } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StoredRun } from './difference.ts'
import type { Duck, NumberColumns } from './duck.ts'
import type { LakeFile } from './lake-file.ts'
import type { LakeFolder } from './lake-folder.ts'
import { conditionsOf, narrowFiles, type Selection, sourceSql, whereSql } from './selection.ts'
import type { SeriesWords } from '../runs/series-words.ts'
import { damagedFile } from './store-problems.ts'

export interface LakeReader {
  readonly duck: Duck
  readonly folder: LakeFolder
}

const ALWAYS_READ = ['file_index::DOUBLE', 'file_row_number::DOUBLE', 'epoch_ms(timestamp)::DOUBLE', 'value']
const COLLECTED_AT = 'epoch_ms(collected_at)::DOUBLE'
const KNOWN_AT = `coalesce(epoch_ms(known_at)::DOUBLE, 'NaN'::DOUBLE)`

/**
 * Reads the selected records, in the order of files and rows. No word is ever read: a file's segments say what each
 * row is about. With a limit, any so many of them.
 */
export async function readRuns(reader: LakeReader, wide: Selection, limit?: number): Promise<StoredRun[]> {
  const selection = narrowFiles(wide)
  if (selection.files.length === 0) return []
  const constants = constantColumns(selection)
  const columns = [
    ...ALWAYS_READ,
    ...(constants.collectedAt === undefined ? [COLLECTED_AT] : []),
    ...(constants.knownAt === undefined ? [KNOWN_AT] : []),
  ].join(', ')
  const where = whereSql(conditionsOf(selection))
  const atMost = limit === undefined ? '' : ` LIMIT ${limit}`
  const read = await queryFiles(
    reader,
    selection.files,
    (source) => `SELECT ${columns} FROM ${source} ${where}${atMost}`,
  )
  return runsIn(withConstants(read, constants), selection)
}

/** A column that is the same in all rows need not be read. */
interface Constants {
  readonly collectedAt: number | undefined
  readonly knownAt: number | undefined
}

function constantColumns({ files }: Selection): Constants {
  const segments = files.flatMap((file) => file.segments)
  const collected = segments[0]!.collectedFirst
  const isCollectedAtOnce = segments.every((one) => one.collectedFirst === collected && one.collectedLast === collected)
  return {
    collectedAt: isCollectedAtOnce ? collected : undefined,
    knownAt: segments.some(({ hasKnownAt }) => hasKnownAt) ? undefined : Number.NaN,
  }
}

/** Back to six columns: where a row lies, its stamp and value, when it was collected and became known. */
function withConstants({ rowCount, columns }: NumberColumns, { collectedAt, knownAt }: Constants): NumberColumns {
  const read = columns.slice(ALWAYS_READ.length)
  const next = (constant: number | undefined) =>
    constant === undefined ? read.shift()! : new Float64Array(rowCount).fill(constant)
  return { rowCount, columns: [...columns.slice(0, ALWAYS_READ.length), next(collectedAt), next(knownAt)] }
}

/** Rows of one thread come in order; those of another follow them or not. Each ordered stretch is taken by itself. */
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
      if (end > start && isWanted(words))
        yield storedRun(
          file,
          words,
          columns.map((one) => one.subarray(start, end)),
        )
      start = end
    }
  }
}

function storedRun({ path }: LakeFile, words: SeriesWords, columns: readonly Float64Array[]): StoredRun {
  const [, rowNumbers, timestamps, values, collectedAt, knownAt] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { words, path, rowNumbers, column: { timestamps, values, collectedAt, knownAt } }
}

/** The segment that a row lies in. */
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
  const paths = await folder.localPaths(files)
  try {
    return await duck.numbers(sqlOver(sourceSql(paths)))
  } catch (error) {
    // Gone since? Then it is no damage, and the caller reads a newer version.
    await folder.localPaths(files)
    throw (await findDamaged(duck, paths)) ?? error
  }
}

async function findDamaged(duck: Duck, paths: readonly string[]): Promise<Problem | undefined> {
  for (const path of paths) {
    try {
      await duck.numbers(
        `SELECT sum(value) + sum(epoch_ms(timestamp)) + count(ticker) + count(collected_at) FROM ${sourceSql([path])}`,
      )
    } catch (error) {
      return damagedFile(path, error)
    }
  }
  return undefined
}
