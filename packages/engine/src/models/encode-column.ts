import { MISSING_CODE, MAX_CODES } from './column-edges.ts'
import { toSumsBefore } from './sums-before.ts'

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
