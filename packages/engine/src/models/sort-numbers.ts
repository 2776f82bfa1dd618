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
