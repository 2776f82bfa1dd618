import { DOUBLE, INTEGER } from '@duckdb/node-api'
import type { StoredSeries } from '@tradewright/engine/market/series-store'
import type { RecordFormat } from '../../../market-data/browse/export-records.ts'
import { wordNames } from '../runs/series-key.ts'
import { appendRows, chunkRows, type Duck, quote } from './duck.ts'

const NUMBERS = ['timestamps', 'values', 'collectedAt', 'knownAt'] as const

/**
 * Writes records to one file, batch after batch: DuckDB keeps them in a table of its own, which it moves to its spill
 * folder when memory is short, and writes the file on its own threads.
 */
export async function writeRecordFile(
  duck: Duck,
  batches: AsyncIterable<readonly StoredSeries[]>,
  target: { readonly path: string; readonly format: RecordFormat },
): Promise<void> {
  await duck.session(async (connection) => {
    await connection.run(
      `CREATE TEMP TABLE records (series INTEGER, ${NUMBERS.map((n) => `"${n}" DOUBLE`).join(', ')})`,
    )
    const words: StoredSeries[] = []
    const buffers = [new Int32Array(chunkRows), ...NUMBERS.map(() => new Float64Array(chunkRows))]
    const table = { name: 'records', types: [INTEGER, DOUBLE, DOUBLE, DOUBLE, DOUBLE], buffers }
    for await (const batch of batches) {
      for (const series of batch) {
        const number = words.push(series) - 1
        await appendRows(connection, table, series.column.timestamps.length, (from, to) => {
          buffers[0]!.fill(number, 0, to - from)
          NUMBERS.forEach((name, i) => buffers[i + 1]!.set(series.column[name].subarray(from, to)))
        })
        // What is written need not be kept; the words are.
        words[number] = { ...series, column: EMPTY }
      }
    }
    await connection.run(
      `COPY (${selectOf(words, target.format)}) TO ${quote(target.path)} (${OPTIONS[target.format]})`,
    )
  })
}

const EMPTY = {
  timestamps: new Float64Array(),
  values: new Float64Array(),
  collectedAt: new Float64Array(),
  knownAt: new Float64Array(),
}

const OPTIONS: Readonly<Record<RecordFormat, string>> = {
  parquet: 'FORMAT parquet, COMPRESSION snappy',
  csv: `FORMAT csv, HEADER, DELIMITER ','`,
}

/** Words by the number of their series. */
function selectOf(words: readonly StoredSeries[], format: RecordFormat): string {
  const wordSql = wordNames.map((name) => {
    const list = words.map((series) => quote(series[name])).join(', ')
    return `([${list}]::VARCHAR[])[series + 1] AS ${name}`
  })
  const instant = INSTANTS[format]
  const numbers = [
    `${instant('timestamps')} AS timestamp`,
    '"values" AS value',
    `${instant('collectedAt')} AS collected_at`,
    `CASE WHEN isnan("knownAt") THEN NULL ELSE ${instant('knownAt')} END AS known_at`,
  ]
  return `SELECT ${[...wordSql, ...numbers].join(', ')} FROM records`
}

const utc = (column: string): string => `make_timestamp(coalesce(nullif("${column}", 'NaN'), 0)::BIGINT * 1000)`

/** In Parquet an instant in UTC, in CSV its text. */
const INSTANTS: Readonly<Record<RecordFormat, (column: string) => string>> = {
  parquet: (column) => `${utc(column)}::TIMESTAMPTZ`,
  csv: (column) => `strftime(${utc(column)}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
}
