import { sortNumbers } from './sort-numbers.ts'

/** The code of a missing value; real codes are 0 to 254. */
export const MISSING_CODE = 255
/** Most codes of a column: 255 quantile bins, or one per value when there are no more than that. */
export const MOST_CODES = 255
/** Above this many training rows the edges come from an evenly spaced sample of them. */
const EDGE_SAMPLE = 65_536

/**
 * The values between neighbouring codes of a column, ascending, from the given rows alone. The code of x is the number
 * of edges below x, so `code <= c` means `x <= edges[c]`, as a threshold in a tree does.
 */
export function columnEdges(column: Float64Array, rows: Int32Array, mostCodes = MOST_CODES): Float64Array {
  const step = Math.max(1, rows.length / EDGE_SAMPLE)
  const sample = new Float64Array(Math.ceil(rows.length / step))
  let count = 0
  for (let i = 0; i < sample.length; i++) {
    const value = column[rows[Math.floor(i * step)]!]!
    if (!Number.isNaN(value)) sample[count++] = value
  }
  const sorted = sortNumbers(sample.subarray(0, count))
  return edgesBetween(sorted, quantileWidth(sorted, mostCodes))
}

/** One row when every distinct value can have its own code, else as many rows as a quantile bin holds. */
function quantileWidth(sorted: Float64Array, mostCodes: number): number {
  let distinct = Math.min(1, sorted.length)
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) distinct++
  return distinct <= mostCodes ? 1 : sorted.length / mostCodes
}

function edgesBetween(sorted: Float64Array, width: number): Float64Array {
  const edges: number[] = []
  let bin = 1
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] === sorted[i - 1] || i < bin * width) continue
    edges.push(midpoint(sorted[i - 1]!, sorted[i]!))
    // By multiplication alone: a quotient rounds down now and then, and a bin that ends at i would end twice.
    while (bin * width <= i) bin++
  }
  return Float64Array.from(edges)
}

/** Halfway, but never the upper value itself: that one must stay on the right. */
function midpoint(lower: number, upper: number): number {
  const middle = lower / 2 + upper / 2
  return middle < upper ? middle : lower
}

/** Below this many rows a plain search costs less than the grid. */
const GRID_WORTHWHILE = 20_000
const GRID_CELLS = 8192

/** Writes the code of every row to `codes`; true when a value was missing. */
export function encodeColumn(column: Float64Array, edges: Float64Array, codes: Uint8Array | Uint16Array): boolean {
  return column.length < GRID_WORTHWHILE || edges.length < 2
    ? encodeBySearch(column, edges, codes)
    : encodeByGrid(column, edges, codes)
}

export function codeOf(value: number, edges: Float64Array, from = 0, to = edges.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** As `codeOf`, in as many steps for every value: a processor cannot foresee which way a search goes. */
function encodeBySearch(column: Float64Array, edges: Float64Array, codes: Uint8Array | Uint16Array): boolean {
  const size = 2 ** Math.ceil(Math.log2(edges.length + 1))
  const padded = new Float64Array(size).fill(Infinity)
  padded.set(edges)
  let missing = false
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!
    if (value !== value) {
      missing = true
      codes[row] = MISSING_CODE
      continue
    }
    let code = 0
    for (let half = size >> 1; half > 0; half >>= 1) code += half * Number(padded[code + half - 1]! < value)
    codes[row] = code
  }
  return missing
}

/** Equal cells between the lowest and the highest edge tell at once between which few edges a value lies. */
function encodeByGrid(column: Float64Array, edges: Float64Array, codes: Uint8Array | Uint16Array): boolean {
  const lowest = edges[0]!
  const highest = edges[edges.length - 1]!
  const scale = (GRID_CELLS - 1) / (highest - lowest)
  if (!Number.isFinite(scale)) return encodeBySearch(column, edges, codes)
  const firstEdges = firstEdgeOfCells(edges, lowest, scale)
  let missing = false
  for (let row = 0; row < column.length; row++) {
    const value = column[row]!
    if (value > lowest && value <= highest) {
      const cell = ((value - lowest) * scale) | 0
      let code = firstEdges[cell]!
      // Nearly always there is one edge in the cell or none.
      if (edges[code]! < value && edges[++code]! < value) {
        code = codeOf(value, edges, code + 1, firstEdges[cell + 1])
      }
      codes[row] = code
    } else if (value <= lowest) codes[row] = 0
    else if (value > highest) codes[row] = edges.length
    else {
      missing = true
      codes[row] = MISSING_CODE
    }
  }
  return missing
}

/** Per cell the first edge that lies in it or behind it. */
function firstEdgeOfCells(edges: Float64Array, lowest: number, scale: number): Uint16Array {
  const firstEdges = new Uint16Array(GRID_CELLS + 1).fill(edges.length)
  for (let edge = edges.length - 1; edge >= 0; edge--) firstEdges[((edges[edge]! - lowest) * scale) | 0] = edge
  for (let cell = GRID_CELLS - 1; cell >= 0; cell--) {
    firstEdges[cell] = Math.min(firstEdges[cell]!, firstEdges[cell + 1]!)
  }
  return firstEdges
}
