import { isRange } from './splits.ts'

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

/** Most numbers that there is room for, a multiple of four. */
const MAX_IN_CELLS = 2048
/** Moves per number that mending may take; where numbers crowd into few cells, another sort is better. */
const MAX_MOVES = 4

// Room that all sorts use one after the other.
const before = new Float64Array(MAX_IN_CELLS)
const after = new Float64Array(MAX_IN_CELLS)
const cells = new Uint16Array(MAX_IN_CELLS)
/** A number's rank among those of its cell. */
const ranks = new Uint16Array(MAX_IN_CELLS)
/** Per cell how many numbers it has, then where its first one goes. */
const places = new Uint16Array(MAX_IN_CELLS)

/**
 * Sorts numbers, none of them NaN, by putting them into as many equal cells between the lowest and the highest as there
 * are numbers, and mending the order within cells. False, and nothing done, where a few far away leave the others too few
 * cells.
 */
function sortByCells(numbers: Float64Array): boolean {
  const count = numbers.length
  let lowest = Infinity
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    lowest = Math.min(lowest, numbers[i]!)
    highest = Math.max(highest, numbers[i]!)
  }
  const scale = (count - 1) / (highest - lowest)
  if (!(scale > 0 && scale < Infinity)) return false
  before.set(numbers)
  // Filled up to fours with numbers that come last.
  const filled = count + (-count & 3)
  before.fill(highest, count, filled)
  spread(filled, lowest, scale)
  if (!mendOrder(count)) return false
  numbers.set(after.subarray(0, count))
  return true
}

/**
 * Rounded or not, differences, products and their whole parts grow with the number: no cell has a number above the next
 * cell's. Four at a time where a store's place has to be read first: loads that follow such a store may wait for it.
 */
function spread(count: number, lowest: number, scale: number): void {
  for (let i = 0; i < count; i++) cells[i] = ((before[i]! - lowest) * scale) | 0
  rankInCells(count)
  toSumsBefore(places, count)
  for (let i = 0; i < count; i += 4) {
    const first = places[cells[i]!]! + ranks[i]!
    const second = places[cells[i + 1]!]! + ranks[i + 1]!
    const third = places[cells[i + 2]!]! + ranks[i + 2]!
    const fourth = places[cells[i + 3]!]! + ranks[i + 3]!
    after[first] = before[i]!
    after[second] = before[i + 1]!
    after[third] = before[i + 2]!
    after[fourth] = before[i + 3]!
  }
}

function rankInCells(count: number): void {
  places.fill(0, 0, count)
  for (let i = 0; i < count; i += 4) {
    const first = cells[i]!
    const second = cells[i + 1]!
    const third = cells[i + 2]!
    const fourth = cells[i + 3]!
    ranks[i] = places[first]!++
    ranks[i + 1] = places[second]!++
    ranks[i + 2] = places[third]!++
    ranks[i + 3] = places[fourth]!++
  }
}

function mendOrder(count: number): boolean {
  let moves = MAX_MOVES * count
  let highest = after[0]!
  for (let i = 1; i < count; i++) {
    const number = after[i]!
    if (number > highest || (number === highest && number !== 0)) {
      highest = number
      continue
    }
    let to = i
    for (; to > 0 && precedes(number, after[to - 1]!); to--) after[to] = after[to - 1]!
    after[to] = number
    moves -= i - to
    if (moves < 0) return false
  }
  return true
}

/** As the built-in sort has it: of two zeros the negative one comes first. */
function precedes(left: number, right: number): boolean {
  return left < right || (left === 0 && right === 0 && Object.is(left, -0) && !Object.is(right, -0))
}

/**
 * Replaces each of the first `length` counts, in fours, by the sum of those before it. Four at a time, since loads that
 * follow a store may have to wait for it.
 */
export function toSumsBefore(counts: Uint16Array, length: number): void {
  let sum = 0
  for (let i = 0; i < length; i += 4) {
    const second = sum + counts[i]!
    const third = second + counts[i + 1]!
    const fourth = third + counts[i + 2]!
    const next = fourth + counts[i + 3]!
    counts[i] = sum
    counts[i + 1] = second
    counts[i + 2] = third
    counts[i + 3] = fourth
    sum = next
  }
}
