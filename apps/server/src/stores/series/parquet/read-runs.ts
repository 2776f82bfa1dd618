import { lowerBound } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StoredRun } from './difference.ts'
import type { Duck, NumberColumns } from './duck.ts'
import type { LakeFile } from './lake-file.ts'
import type { LakeFolder } from './lake-folder.ts'
import { conditionsOf, narrowFiles, type Selection, sourceSql, whereSql } from './selection.ts'
import { damagedFile } from './store-problems.ts'

export interface LakeReader {
  readonly duck: Duck
  readonly folder: LakeFolder
}

const COLUMNS = [
  'file_index::DOUBLE',
  'file_row_number::DOUBLE',
  'epoch_ms(timestamp)::DOUBLE',
  'value',
  'epoch_ms(collected_at)::DOUBLE',
  `coalesce(epoch_ms(known_at)::DOUBLE, 'NaN'::DOUBLE)`,
]

/**
 * Reads the selected records, in the order of files and rows. No word is ever read: a file's segments say what each
 * row is about.
 */
export async function readRuns(reader: LakeReader, wide: Selection): Promise<StoredRun[]> {
  const selection = narrowFiles(wide)
  if (selection.files.length === 0) return []
  const constants = constantColumns(selection)
  const columns = COLUMNS.map((column, i) => constants.get(i) ?? column)
  const where = whereSql(conditionsOf(selection))
  const rows = await queryFiles(
    reader,
    selection.files,
    (source) => `SELECT ${columns.join(', ')} FROM ${source} ${where}`,
  )
  return runsIn(rows, selection)
}

const COLLECTED_AT = 4
const KNOWN_AT = 5

/** A column that is the same in all rows need not be read. */
function constantColumns({ files }: Selection): Map<number, string> {
  const segments = files.flatMap((file) => file.segments)
  const constants = new Map<number, string>()
  const collected = segments[0]!.collectedFirst
  if (segments.every((one) => one.collectedFirst === collected && one.collectedLast === collected)) {
    constants.set(COLLECTED_AT, `${collected}::DOUBLE`)
  }
  if (!segments.some(({ hasKnownAt }) => hasKnownAt)) constants.set(KNOWN_AT, `'NaN'::DOUBLE`)
  return constants
}

function runsIn({ rowCount, columns }: NumberColumns, { files, isWanted }: Selection): StoredRun[] {
  const [fileIndices, rowNumbers] = columns as [Float64Array, Float64Array]
  const runs: StoredRun[] = []
  let fileStart = 0
  files.forEach((file, index) => {
    const fileEnd = lowerBound(fileIndices, index + 1, fileStart, rowCount)
    let start = fileStart
    for (const { words, offset, rows } of file.segments) {
      const end = lowerBound(rowNumbers, offset + rows, start, fileEnd)
      if (end > start && isWanted(words)) {
        const [, , timestamps, values, collectedAt, knownAt] = columns.map((column) => column.subarray(start, end))
        const column = { timestamps: timestamps!, values: values!, collectedAt: collectedAt!, knownAt: knownAt! }
        runs.push({ words, column, path: file.path, rowNumbers: rowNumbers.subarray(start, end) })
      }
      start = end
    }
    fileStart = fileEnd
  })
  return runs
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
