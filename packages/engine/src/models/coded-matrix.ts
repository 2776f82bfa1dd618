import { Problem } from '@tradewright/core/problem'
import { neverCancelled, throwIfCancelled, type IsCancelled } from './cancellation.ts'
import { columnEdges, edgeRows, MISSING_CODE, MAX_CODES, toSumsBefore } from './column-edges.ts'

/** Cells of the grid; from as many rows on as `MANY_ROWS`, more of them pay. */
const FEW_CELLS = 1024
const MANY_CELLS = 8192
const MANY_ROWS = 20_000
/** Edges in one cell at most: as many are compared with every value. */
const MAX_IN_CELL = 3

// Written anew for every column: making arrays would take a tenth of the time that a column of a thousand rows takes.
/** The edges, and beyond them numbers that no value exceeds. */
const padded = new Float64Array(MAX_CODES + MAX_IN_CELL)
/** Per cell of the grid the first edge that lies in it or behind it. */
const firstEdges = new Uint16Array(MANY_CELLS)

/** Writes the code of every row to `codes`. */
export function encodeColumn(column: Float64Array, edges: Float64Array, codes: Uint8Array, hasMissing: boolean): void {
  padded.fill(Infinity)
  padded.set(edges)
  const grid = gridOver(edges, column.length < MANY_ROWS ? FEW_CELLS : MANY_CELLS)
  if (grid === undefined) encodeBySearch(column, codes)
  else encodeByGrid(column, grid, codes)
  if (hasMissing) markMissing(column, codes)
}

/** Equal cells between the lowest and the highest edge, `scale` of them per unit. */
interface Grid {
  readonly lowest: number
  readonly highest: number
  readonly scale: number
}

/** None where edges crowd: then a value's cell says too little. */
function gridOver(edges: Float64Array, cells: number): Grid | undefined {
  const lowest = edges[0] ?? 0
  const highest = edges[edges.length - 1] ?? 0
  // As few edges as are compared anyway may share one cell, however close they lie.
  const scale = edges.length <= MAX_IN_CELL ? 0 : (cells - 1) / (highest - lowest)
  if (scale === Infinity) return undefined
  firstEdges.fill(0, 0, cells)
  for (let edge = 0, count = edges.length; edge < count; edge++) {
    const cell = ((edges[edge]! - lowest) * scale) | 0
    if (++firstEdges[cell]! > MAX_IN_CELL) return undefined
  }
  toSumsBefore(firstEdges, cells)
  return { lowest, highest, scale }
}

/** Edges of lower cells lie below a value, those of higher cells do not; comparing with those between takes no branch. */
function encodeByGrid(column: Float64Array, { lowest, highest, scale }: Grid, codes: Uint8Array): void {
  for (let row = 0, rowCount = column.length; row < rowCount; row++) {
    const value = column[row]!
    const inside = Math.min(Math.max(value, lowest), highest)
    const edge = firstEdges[((inside - lowest) * scale) | 0]!
    codes[row] =
      edge + Number(padded[edge]! < value) + Number(padded[edge + 1]! < value) + Number(padded[edge + 2]! < value)
  }
}

/** In as many steps for every value, without a branch: a processor cannot predict which way a search goes. */
function encodeBySearch(column: Float64Array, codes: Uint8Array): void {
  for (let row = 0, rowCount = column.length; row < rowCount; row++) {
    const value = column[row]!
    let code = Number(padded[127]! < value) << 7
    code += Number(padded[code + 63]! < value) << 6
    code += Number(padded[code + 31]! < value) << 5
    code += Number(padded[code + 15]! < value) << 4
    code += Number(padded[code + 7]! < value) << 3
    code += Number(padded[code + 3]! < value) << 2
    code += Number(padded[code + 1]! < value) << 1
    codes[row] = code + Number(padded[code]! < value)
  }
}

function markMissing(column: Float64Array, codes: Uint8Array): void {
  for (let row = 0, rowCount = column.length; row < rowCount; row++) {
    if (Number.isNaN(column[row])) codes[row] = MISSING_CODE
  }
}

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
