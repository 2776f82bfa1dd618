import { isRange } from './row-range.ts'
import { MAX_IN_CELLS, sortByCells } from './sort-by-cells.ts'

/** Below this many numbers the built-in sort is as fast. */
const WORTHWHILE = 64
const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS

/** Sorts numbers, none of them NaN, upwards and in place, as the built-in sort does but several times faster. */
export function sortNumbers(numbers: Float64Array): Float64Array {
  if (numbers.length > MAX_IN_CELLS) return sortByDigits(numbers)
  return numbers.length >= WORTHWHILE && sortByCells(numbers) ? numbers : numbers.sort()
}

/**
 * Sorts by the digits of the numbers' upper halves (sign, exponent, 20 bits of the mantissa), and by value where those
 * are equal.
 */
function sortByDigits(numbers: Float64Array): Float64Array {
  let keys = upperHalves(numbers)
  let order = new Uint32Array(numbers.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  let nextKeys = new Uint32Array(numbers.length)
  let nextOrder = new Uint32Array(numbers.length)
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    sortByDigit(keys, order, shift, nextKeys, nextOrder)
    ;[keys, nextKeys] = [nextKeys, keys]
    ;[order, nextOrder] = [nextOrder, order]
  }
  const before = numbers.slice()
  for (let i = 0; i < numbers.length; i++) numbers[i] = before[order[i]!]!
  sortEqualKeys(numbers, keys)
  return numbers
}

/** Unsigned numbers in the order of the signed ones that they are the upper halves of. */
function upperHalves(numbers: Float64Array): Uint32Array<ArrayBuffer> {
  const halves = new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length)
  const keys = new Uint32Array(numbers.length)
  for (let i = 0; i < keys.length; i++) {
    const half = halves[2 * i + 1]!
    keys[i] = half ^ ((half >> 31) | 0x80000000)
  }
  return keys
}

/** Leaves the order of equal digits as it is. */
function sortByDigit(
  keys: Uint32Array,
  order: Uint32Array,
  shift: number,
  toKeys: Uint32Array,
  toOrder: Uint32Array,
): void {
  const next = new Uint32Array(DIGITS + 1)
  for (let i = 0; i < keys.length; i++) next[((keys[i]! >>> shift) & (DIGITS - 1)) + 1]!++
  for (let digit = 1; digit < DIGITS; digit++) next[digit]! += next[digit - 1]!
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const to = next[(key >>> shift) & (DIGITS - 1)]!++
    toKeys[to] = key
    toOrder[to] = order[i]!
  }
}

function sortEqualKeys(numbers: Float64Array, keys: Uint32Array): void {
  for (let from = 0; from < keys.length;) {
    let to = from + 1
    let isSorted = true
    while (to < keys.length && keys[to] === keys[from]) {
      isSorted &&= numbers[to - 1]! < numbers[to]! || Object.is(numbers[to - 1], numbers[to])
      to++
    }
    if (!isSorted) numbers.subarray(from, to).sort()
    from = to
  }
}

/** The code of a missing value; real codes are 0 to 254. */
export const MISSING_CODE = 255
/** Most codes of a column: 255 quantile bins, or one per value when there are no more than that. */
export const MAX_CODES = 255
/** Above this many training rows the edges come from an evenly spaced sample of them. */
const EDGE_SAMPLE = 65_536

/** The rows that decide where edges lie, and room for their values: the same for all columns of a matrix. */
interface EdgeRows {
  readonly rows: Int32Array
  readonly areRange: boolean
  readonly values: Float64Array
}

export function edgeRows(trainRows: Int32Array): EdgeRows {
  const rows = trainRows.length > EDGE_SAMPLE ? sampleOf(trainRows) : trainRows
  return { rows, areRange: isRange(rows), values: new Float64Array(rows.length) }
}

function sampleOf(rows: Int32Array): Int32Array {
  const step = rows.length / EDGE_SAMPLE
  return new Int32Array(Math.ceil(rows.length / step)).map((_, i) => rows[Math.floor(i * step)]!)
}

/**
 * The values between neighbouring codes of a column, ascending, from the given rows alone. The code of x is the number
 * of edges below x, so `code <= c` means `x <= edges[c]`, as a threshold in a tree does.
 */
export function columnEdges(column: Float64Array, from: EdgeRows): Float64Array {
  const sorted = sortNumbers(knownValues(column, from))
  return edgesBetween(sorted, quantileWidth(sorted))
}

function knownValues(column: Float64Array, { rows, areRange, values }: EdgeRows): Float64Array {
  if (areRange) values.set(column.subarray(rows[0], rows[0]! + rows.length))
  else for (let i = 0, length = rows.length; i < length; i++) values[i] = column[rows[i]!]!
  return withoutMissing(values)
}

/** Works in place: values that follow a missing one move up. */
function withoutMissing(values: Float64Array): Float64Array {
  const length = values.length
  let count = 0
  while (count < length && !Number.isNaN(values[count])) count++
  if (count === length) return values
  for (let i = count; i < length; i++) if (!Number.isNaN(values[i])) values[count++] = values[i]!
  return values.subarray(0, count)
}

/** One row when every distinct value can have its own code, else as many rows as a quantile bin holds. */
function quantileWidth(sorted: Float64Array): number {
  const count = sorted.length
  let distinct = Math.min(1, count)
  for (let i = 1; i < count && distinct <= MAX_CODES; i++) if (sorted[i] !== sorted[i - 1]) distinct++
  return distinct <= MAX_CODES ? 1 : count / MAX_CODES
}

/** Room that all columns use one after the other. */
const found = new Float64Array(MAX_CODES - 1)

function edgesBetween(sorted: Float64Array, width: number): Float64Array {
  const count = sorted.length
  let edges = 0
  let bin = 1
  for (let i = Math.ceil(width) | 0; i < count; i = Math.ceil(bin * width) | 0) {
    while (i < count && sorted[i] === sorted[i - 1]) i++
    if (i === count) break
    found[edges++] = midpoint(sorted[i - 1]!, sorted[i]!)
    // By multiplication alone: a quotient rounds down now and then, and a bin that ends at i would end twice.
    while (bin * width <= i) bin++
  }
  return found.slice(0, edges)
}

/** Halfway, but never the upper value itself: that one must stay on the right. */
function midpoint(lower: number, upper: number): number {
  const middle = lower / 2 + upper / 2
  return middle < upper ? middle : lower
}

export function codeOf(value: number, edges: Float64Array): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
