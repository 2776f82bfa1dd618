import { type IsCancelled, throwIfCancelled } from './cancellation.ts'
import type { CodeTable } from './coded-matrix.ts'

/** So many rows of all columns stay in the processor's near caches while they are turned. */
const CHUNK_ROWS = 4096

/** Writes the codes of the given rows and columns row after row, `rowBytes` apart. */
export function writeRows(
  { matrix, columns }: { matrix: CodeTable; columns: Int32Array },
  rows: Int32Array,
  bytes: Uint8Array,
  at: number,
  rowBytes: number,
  isCancelled: IsCancelled,
): void {
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    throwIfCancelled(isCancelled)
    const chunk = rows.subarray(from, from + CHUNK_ROWS)
    for (let index = 0; index < columns.length; index++) {
      writeColumn(matrix.codes, columns[index]! * matrix.rowCount, chunk, bytes, at + from * rowBytes + index, rowBytes)
    }
  }
}

function writeColumn(
  codes: Uint8Array,
  columnAt: number,
  rows: Int32Array,
  bytes: Uint8Array,
  at: number,
  rowBytes: number,
): void {
  for (let i = 0; i < rows.length; i++) bytes[at + i * rowBytes] = codes[columnAt + rows[i]!]!
}
