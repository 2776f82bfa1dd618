import { DOUBLE, ENUM, INTEGER, type DuckDBConnection, type DuckDBType } from '@duckdb/node-api'
import { appendRows, chunkRows, type Duck, type NumberArray, quote } from './duck.ts'
import { rowCount, type Run, type RunColumn, type WordName, wordNames } from '../runs.ts'

export type Compression = 'snappy' | 'zstd' | 'gzip' | 'none'

export const compressions: readonly Compression[] = ['snappy', 'zstd', 'gzip', 'none']

/** Smaller groups find one ticker faster, larger ones scan faster; this one is within a few percent of both. */
const ROW_GROUP_ROWS = 61_440

/** A column of the temporary table, filled chunk by chunk. */
interface StagedColumn {
  readonly name: string
  readonly type: DuckDBType
  readonly buffer: NumberArray
  fill(run: Run, runRow: number, bufferRow: number, rows: number): void
}

/** A column of the file: a constant, or made from a staged one. */
interface WrittenColumn {
  readonly sql: string
  readonly staged: StagedColumn | undefined
}

/** Writes runs, in the order of a file, to one Parquet file. */
export async function writeParquet(
  duck: Duck,
  runs: readonly Run[],
  target: { readonly path: string; readonly compression: Compression },
): Promise<void> {
  await duck.session(async (connection) => {
    const columns = [
      ...wordNames.map((name) => wordColumn(name, runs)),
      { sql: 'make_timestamp("timestamps"::BIGINT * 1000) AS timestamp', staged: numberColumn('timestamps') },
      { sql: '"values" AS value', staged: numberColumn('values') },
      instantColumn('collected_at', 'collectedAt', runs),
      instantColumn('known_at', 'knownAt', runs),
      ...versionColumn(runs),
    ]
    const staged = columns.map((column) => column.staged).filter((column) => column !== undefined)
    await stage(connection, staged, runs)
    const select = columns.map(({ sql }) => sql).join(', ')
    const compression = target.compression === 'none' ? 'uncompressed' : target.compression
    const options = `FORMAT parquet, COMPRESSION ${compression}, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`
    await connection.run(`COPY (SELECT ${select} FROM staged) TO ${quote(target.path)} (${options})`)
  })
}

async function stage(
  connection: DuckDBConnection,
  columns: readonly StagedColumn[],
  runs: readonly Run[],
): Promise<void> {
  const description = columns.map(({ name, type }) => `"${name}" ${String(type)}`).join(', ')
  await connection.run(`CREATE TEMP TABLE staged (${description})`)
  const table = {
    name: 'staged',
    types: columns.map(({ type }) => type),
    buffers: columns.map(({ buffer }) => buffer),
  }
  let [run, runRow] = [0, 0]
  await appendRows(connection, table, rowCount(runs), (from, to) => {
    for (let row = 0; row < to - from;) {
      const { length } = runs[run]!.column.timestamps
      const rows = Math.min(length - runRow, to - from - row)
      for (const column of columns) column.fill(runs[run]!, runRow, row, rows)
      row += rows
      runRow += rows
      if (runRow === length) [run, runRow] = [run + 1, 0]
    }
  })
}

/** A word that every row shares is a constant of the query; the others are staged as numbers of an ENUM. */
function wordColumn(name: WordName, runs: readonly Run[]): WrittenColumn {
  const codes = new Map<string, number>()
  for (const { words } of runs) if (!codes.has(words[name])) codes.set(words[name], codes.size)
  const distinct = [...codes.keys()]
  if (distinct.length === 1) return { sql: `${quote(distinct[0]!)} AS ${name}`, staged: undefined }
  const buffer = codeBuffer(distinct.length)
  const staged: StagedColumn = {
    name,
    type: ENUM(distinct),
    buffer,
    fill: ({ words }, _, at, rows) => buffer.fill(codes.get(words[name])!, at, at + rows),
  }
  return { sql: `${name}::VARCHAR AS ${name}`, staged }
}

/** DuckDB keeps an ENUM's numbers in the smallest type that holds them. */
function codeBuffer(words: number): Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  if (words < 2 ** 8) return new Uint8Array(chunkRows)
  return words < 2 ** 16 ? new Uint16Array(chunkRows) : new Uint32Array(chunkRows)
}

/** Numbers of a record that are seldom different within a file: when they were collected, and became known. */
function instantColumn(name: string, column: 'collectedAt' | 'knownAt', runs: readonly Run[]): WrittenColumn {
  const [first] = runs[0]!.column[column]
  const isConstant = runs.every((run) => run.column[column].every((instant) => Object.is(instant, first)))
  if (!isConstant) return { sql: `${instantSql(column)} AS ${name}`, staged: numberColumn(column) }
  const constant = Number.isNaN(first) ? 'NULL::TIMESTAMP' : `make_timestamp(${BigInt(Math.round(first!)) * 1000n})`
  return { sql: `${constant} AS ${name}`, staged: undefined }
}

const instantSql = (column: string): string =>
  `CASE WHEN isnan("${column}") THEN NULL ELSE make_timestamp("${column}"::BIGINT * 1000) END`

/** Last, and absent from files of a store that keeps no history. */
function versionColumn(runs: readonly Run[]): WrittenColumn[] {
  if (!runs.every(({ column }) => column.storedVersions)) return []
  const [first] = runs[0]!.column.storedVersions!
  const isConstant = runs.every(({ column }) => column.storedVersions!.every((version) => version === first))
  return isConstant
    ? [{ sql: `${first}::INTEGER AS stored_version`, staged: undefined }]
    : [{ sql: '"storedSteps" AS stored_step', staged: versionSteps() }]
}

/**
 * The first of a run, and then the difference to the row before: a series that grows by a bar a day has the same step in
 * each row, which takes next to no room.
 */
function versionSteps(): StagedColumn {
  const buffer = new Int32Array(chunkRows)
  const fill: StagedColumn['fill'] = ({ column }, from, at, rows) => {
    const versions = column.storedVersions!
    for (let i = 0; i < rows; i++) {
      const row = from + i
      buffer[at + i] = row === 0 ? versions[0]! : versions[row]! - versions[row - 1]!
    }
  }
  return { name: 'storedSteps', type: INTEGER, buffer, fill }
}

function numberColumn(column: keyof RunColumn): StagedColumn {
  const buffer = new Float64Array(chunkRows)
  const fill: StagedColumn['fill'] = (run, from, at, rows) =>
    buffer.set(run.column[column]!.subarray(from, from + rows), at)
  return { name: column, type: DOUBLE, buffer, fill }
}
