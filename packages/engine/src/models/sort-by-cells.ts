import { toSumsBefore } from './sums-before.ts'

/** Most numbers that there is room for, a multiple of four. */
export const MAX_IN_CELLS = 2048
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
export function sortByCells(numbers: Float64Array): boolean {
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
