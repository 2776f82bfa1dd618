import { Problem } from '@tradewright/core/problem'
import { neverCancelled, throwIfCancelled } from './cancellation.ts'
import { columnEdges, edgeRows } from './column-edges.ts'
import { encodeColumn } from './encode-column.ts'

/**
 * Feature columns as bytes: each value replaced by the number of its quantile bin (or its rank, when a column has few
 * values). Coded once, from training rows alone, and shared by every fit and every thread that uses the columns.
 */
export interface CodedMatrix extends CodeTable {
  readonly columnCount: number
  readonly edges: readonly Float64Array[]
  /** Per column: does any row miss its value? */
  readonly hasMissing: readonly boolean[]
}

/** The part of a coded matrix that fits need while they run. */
export interface CodeTable {
  readonly rowCount: number
  /** Column after column; 255 marks a missing value. */
  readonly codes: Uint8Array<SharedArrayBuffer>
  /** No code but that of a missing value is as high as this. */
  readonly codeCount: number
}

export function codeTable({ rowCount, codes, codeCount }: CodedMatrix): CodeTable {
  return { rowCount, codes, codeCount }
}

/** 21 bits of a packed sum count rows. */
const MAX_ROWS = 2 ** 21 - 1
const MAX_COLUMNS = 4096
/** A quarter of a gigabyte of codes: what a fit needs beside them then still fits WebAssembly's memory. */
const MAX_CELLS = 2 ** 28

/** `trainRows` alone decide where the bins lie: later rows must not leak into them. */
export function codeColumns(
  columns: readonly Float64Array[],
  trainRows: Int32Array,
  isCancelled = neverCancelled,
): CodedMatrix {
  const rowCount = columns[0]?.length ?? 0
  checkMatrixSize(rowCount, columns.length)
  checkTrainRows(trainRows, rowCount)
  const codes = new Uint8Array(new SharedArrayBuffer(rowCount * columns.length))
  const deciding = edgeRows(trainRows)
  const edges: Float64Array[] = []
  const hasMissing: boolean[] = []
  columns.forEach((column, index) => {
    throwIfCancelled(isCancelled)
    hasMissing[index] = !isComplete(column, rowCount, index)
    const columnCodes = codes.subarray(index * rowCount, (index + 1) * rowCount)
    edges[index] = columnEdges(column, deciding)
    encodeColumn(column, edges[index], columnCodes, hasMissing[index])
  })
  const codeCount = edges.reduce((most, { length }) => Math.max(most, length + 1), 1)
  return { rowCount, columnCount: columns.length, codes, codeCount, edges, hasMissing }
}

export function checkMatrixSize(rowCount: number, columnCount: number): void {
  if (rowCount === 0 || columnCount === 0) {
    throw new Problem('invalid', 'model.no-data', 'There are no rows to train on.')
  }
  if (rowCount > MAX_ROWS || columnCount > MAX_COLUMNS || rowCount * columnCount > MAX_CELLS) {
    throw new Problem(
      'too-large',
      'model.too-large',
      `${rowCount} rows by ${columnCount} columns are too many to train on: at most ${MAX_ROWS} rows, ` +
        `${MAX_COLUMNS} columns and ${MAX_CELLS} values are allowed.`,
    )
  }
}

export function checkTrainRows(rows: Int32Array, rowCount: number): void {
  if (rows.length === 0) throw new Problem('invalid', 'model.no-data', 'There are no rows to train on.')
  checkRows(rows, rowCount)
}

export function checkRows(rows: Int32Array, rowCount: number): void {
  for (let i = 0, count = rows.length; i < count; i++) {
    const row = rows[i]!
    if (row < 0 || row >= rowCount) throw new RangeError(`row ${row} lies outside the ${rowCount} rows of the matrix`)
  }
}

/** Values may be missing (NaN), but infinite ones are a fault of the feature. */
function isComplete(column: Float64Array, rowCount: number, index: number): boolean {
  if (column.length !== rowCount) {
    throw new RangeError(`column ${index} has ${column.length} rows, the first has ${rowCount}`)
  }
  if (isFiniteThroughout(column)) return true
  for (let row = 0; row < rowCount; row++) {
    const value = column[row]!
    if (value === Infinity || value === -Infinity) {
      throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite in row ${row + 1}.`)
    }
  }
  return false
}

const ZERO = 0

/** Only a finite number times zero is zero. Four sums side by side: none waits for the other. */
function isFiniteThroughout(column: Float64Array): boolean {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const even = column.length - (column.length % 4)
  for (let i = 0; i < even; i += 4) {
    first += column[i]! * ZERO
    second += column[i + 1]! * ZERO
    third += column[i + 2]! * ZERO
    fourth += column[i + 3]! * ZERO
  }
  for (let i = even; i < column.length; i++) first += column[i]! * ZERO
  return first + second + third + fourth === 0
}
