import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { rowCount, type Run, type RunColumn } from '../runs/run.ts'
import { type SeriesKey, wordNames } from '../runs/series-key.ts'

/** So many records take a quarter of a megabyte. */
export const MAX_PACKED_ROWS = 4_096

const COLUMNS = [
  'timestamps',
  'values',
  'knownAt',
  'collectedAt',
  'storedVersions',
] as const satisfies readonly (keyof RunColumn)[]
const NUMBER_BYTES = 8

/** A header of words and lengths as JSON, then column by column the numbers, little-endian; deflated. */
export function packRuns(runs: readonly Run[]): Buffer {
  const header = Buffer.from(
    JSON.stringify(
      runs.map(({ words, column }) => [...wordNames.map((name) => words[name]), column.timestamps.length]),
    ),
  )
  const packed = Buffer.alloc(4 + header.length + COLUMNS.length * NUMBER_BYTES * rowCount(runs))
  packed.writeUInt32LE(header.length)
  header.copy(packed, 4)
  let at = 4 + header.length
  for (const name of COLUMNS) {
    for (const { column } of runs) for (const value of column[name]!) at = packed.writeDoubleLE(value, at)
  }
  return deflateRawSync(packed)
}

export function unpackRuns(deflated: Buffer): Run[] {
  const packed = inflateRawSync(deflated)
  const headerEnd = 4 + packed.readUInt32LE()
  const header = JSON.parse(packed.toString('utf8', 4, headerEnd)) as (string | number)[][]
  let at = headerEnd
  const columns = COLUMNS.map((name) => {
    const parts = header.map((row) => {
      const part = Float64Array.from({ length: row.at(-1) as number }, (_, i) =>
        packed.readDoubleLE(at + i * NUMBER_BYTES),
      )
      at += part.length * NUMBER_BYTES
      return part
    })
    return [name, parts] as const
  })
  return header.map((row, run) => ({
    words: Object.fromEntries(wordNames.map((name, i) => [name, row[i]])) as unknown as SeriesKey,
    column: Object.fromEntries(columns.map(([name, parts]) => [name, parts[run]])) as unknown as RunColumn,
  }))
}
