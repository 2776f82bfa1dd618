// Scores every cut of sorted columns. Eight sums advance together, from both ends of the sorted order towards its
// middle: the first half of a vector goes up the lower rows, the second half down the upper rows. A cut parts its
// *outer* rows, those already passed, from the others; which side is called left does not change its score.
//
// Four columns: half h holds rows [hR, hR + R), R being the number of registers. Two columns: lane k holds rows
// [kR, kR + R), so that lanes 1 and 2 begin with the sums of lanes 0 and 3.

import { DRAWS_MASK, FIRST_HALF, FLOAT_OFFSET, FLOAT_UPPER, ONE, ONE_STEP, TWO_TO_23 } from './constants'
import { KEYS, minLeaf, OUTER_LIGHTER, OUTER_WEIGHTS, scratch } from './scratch'
import { nodePositives, nodeRows, nodeWeight } from './node'

/** Larger than any key: no split found. */
export const NO_SPLIT: i32 = 0x7fffffff

/** What the last scoring found: its score, and draw << 16 | rows on the left. Of equal scores the lowest key. */
export let scoreFound: f32 = 0
export let keyFound: i32 = 0

// @ts-ignore: decorator
@inline
function drawsOf(keys: v128, mask: v128): v128 {
  return v128.and(i16x8.shr_u(keys, 1), mask)
}

/** The draws of keys of the lighter class, 0 for others. */
// @ts-ignore: decorator
@inline
function ofLighter(keys: v128, draws: v128, one: v128): v128 {
  return v128.and(draws, i16x8.eq(v128.and(keys, one), one))
}

// @ts-ignore: decorator
@inline
function zipFirst(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23)
}

// @ts-ignore: decorator
@inline
function zipSecond(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)
}

/** `purity` of four cuts whose sums come as 2^23 + sum; NaN where the weights are. */
// @ts-ignore: decorator
@inline
function purityOf(
  outer: v128, lighter: v128, offset: v128, weight: v128, offsetWeight: v128, positives: v128,
): v128 {
  const l = f32x4.sub(outer, offset)
  const difference = f32x4.sub(f32x4.mul(f32x4.sub(lighter, offset), weight), f32x4.mul(l, positives))
  return f32x4.div(f32x4.mul(difference, difference), f32x4.mul(l, f32x4.sub(offsetWeight, outer)))
}

/** Rows 0, 1, 2 … of the first half and R - 1, R - 2, R - 3 … of the second, then what follows in the middle. */
// @ts-ignore: decorator
@inline
function folded(front: usize, back: usize, firstHalf: v128): v128 {
  return v128.bitselect(v128.load(front), v128.load(back), firstHalf)
}

/**
 * Steps from register `start` to the middle. `outerRows` are the rows passed before the first step, per key; keys of
 * the cuts are `lowest` + step in the first half and `highest` - step in the second, steps counted from 0.
 */
function scoreFrom(
  registers: i32, start: i32, weightBefore: v128, lighterBefore: v128, outerRows: v128, lowest: v128, highest: v128,
): void {
  const one = v128.load(scratch, ONE)
  const oneStep = v128.load(scratch, ONE_STEP)
  const drawsMask = v128.load(scratch, DRAWS_MASK)
  const upper = v128.load(scratch, FLOAT_UPPER)
  const offset = v128.load(scratch, FLOAT_OFFSET)
  const firstHalf = v128.load(scratch, FIRST_HALF)
  const weight = f32x4.splat(<f32>nodeWeight)
  const offsetWeight = f32x4.splat(TWO_TO_23 + <f32>nodeWeight)
  const positives = f32x4.splat(<f32>nodePositives)
  const cutRange = i16x8.splat(<i16>(nodeRows - 2 * minLeaf))
  let beyondFirstCut = i16x8.sub(outerRows, i16x8.splat(<i16>(minLeaf - 1)))
  let outer = weightBefore
  let lighter = lighterBefore
  let step = i32x4.splat(0)
  // Below every score: as in scikit-learn a split that gains nothing is still a split of an impure node.
  let firstScore = f32x4.splat(-1)
  let secondScore = f32x4.splat(-1)
  let firstStep = step
  let secondStep = step
  const end = scratch + KEYS + (<usize>(registers - 1) << 4)
  let front = scratch + KEYS + (<usize>start << 4)
  let back = end - (<usize>start << 4)
  let sums = scratch
  let here = folded(front, back, firstHalf)
  let code = i16x8.shr_u(here, 8)
  for (; front <= end; sums += 16) {
    front += 16
    back -= 16
    const next = folded(front, back, firstHalf)
    const draws = drawsOf(here, drawsMask)
    outer = i16x8.add(outer, draws)
    lighter = i16x8.add(lighter, ofLighter(here, draws, one))
    v128.store(sums, outer, OUTER_WEIGHTS)
    v128.store(sums, lighter, OUTER_LIGHTER)
    const nextCode = i16x8.shr_u(next, 8)
    const refused = v128.or(i16x8.eq(code, nextCode), i16x8.gt_u(beyondFirstCut, cutRange))
    // All bits set above a sum make it NaN.
    const upperOrRefused = v128.or(upper, refused)

    let score = purityOf(
      zipFirst(outer, upperOrRefused), zipFirst(lighter, upper), offset, weight, offsetWeight, positives,
    )
    let better = f32x4.gt(score, firstScore)
    firstScore = v128.bitselect(score, firstScore, better)
    firstStep = v128.bitselect(step, firstStep, better)
    score = purityOf(
      zipSecond(outer, upperOrRefused), zipSecond(lighter, upper), offset, weight, offsetWeight, positives,
    )
    // On the way down a later cut is a lower one.
    better = f32x4.ge(score, secondScore)
    secondScore = v128.bitselect(score, secondScore, better)
    secondStep = v128.bitselect(step, secondStep, better)

    beyondFirstCut = i16x8.add(beyondFirstCut, one)
    step = i32x4.add(step, oneStep)
    here = next
    code = nextCode
  }
  const better = f32x4.gt(secondScore, firstScore)
  findHighest(
    v128.bitselect(secondScore, firstScore, better),
    v128.bitselect(i32x4.sub(highest, secondStep), i32x4.add(lowest, firstStep), better),
  )
}

// @ts-ignore: decorator
@inline
function swapLanes(v: v128): v128 {
  return i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11)
}

// @ts-ignore: decorator
@inline
function swapLaneHalves(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
}

// @ts-ignore: decorator
@inline
function findHighest(score: v128, key: v128): void {
  let highest = f32x4.max(score, swapLanes(score))
  highest = f32x4.max(highest, swapLaneHalves(highest))
  let lowest = v128.bitselect(key, i32x4.splat(NO_SPLIT), f32x4.eq(score, highest))
  lowest = i32x4.min_s(lowest, swapLanes(lowest))
  lowest = i32x4.min_s(lowest, swapLaneHalves(lowest))
  scoreFound = f32x4.extract_lane(highest, 0)
  keyFound = i32x4.extract_lane(lowest, 0)
}

/**
 * Scores four sorted columns, of which the first was drawn as number `draw`. The `empty` first places hold no row,
 * nor do as many last ones or, with an odd number of rows, one more.
 */
export function scoreFour(registers: i32, empty: i32, draw: i32): void {
  const front = scratch + KEYS
  const end = front + (<usize>registers << 4)
  const middle = v128.bitselect(v128.load(end - 16), v128.load(front), i64x2(-1, 0))
  const crossed = swapLaneHalves(middle)
  v128.store(end, crossed)
  v128.store(front - 16, crossed)
  const odd = <i16>-(nodeRows & 1)
  const draws = i32x4.add(i32x4.splat(draw << 16), i32x4(0, 0x10000, 0x20000, 0x30000))
  scoreFrom(
    registers, empty, i32x4.splat(0), i32x4.splat(0), i16x8(0, 0, 0, 0, odd, odd, odd, odd),
    i32x4.add(draws, i32x4.splat(1)), i32x4.add(draws, i32x4.splat(nodeRows + (nodeRows & 1) - 1)),
  )
}

/** Scores two sorted columns. */
export function scoreTwo(registers: i32, draw: i32): void {
  const front = scratch + KEYS
  const end = front + (<usize>registers << 4)
  let weights = i32x4.splat(0)
  let lighter = weights
  for (let at = front; at < end; at += 16) {
    const keys = v128.load(at)
    const draws = drawsOf(keys, i16x8.splat(127))
    weights = i16x8.add(weights, draws)
    lighter = i16x8.add(lighter, ofLighter(keys, draws, i16x8.splat(1)))
  }
  const first = v128.load(front)
  const last = v128.load(end - 16)
  // What follows the last row of lane 0 is the first of lane 1, and so on; on the way down the last of the lane before.
  v128.store(end, i8x16.shuffle(first, first, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3))
  v128.store(front - 16, i8x16.shuffle(last, last, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
  const empty = <i16>(4 * registers - nodeRows)
  const full = <i16>registers
  const outerRows = i16x8(0, 0, full, full, full - empty, full - empty, -empty, -empty)
  const draws = i32x4.add(i32x4.splat(draw << 16), i32x4(0, 0x10000, 0, 0x10000))
  scoreFrom(
    registers, 0, ofOuterLanes(weights), ofOuterLanes(lighter), outerRows,
    i32x4.add(draws, i32x4(1, 1, registers + 1, registers + 1)),
    i32x4.add(draws, i32x4(3 * registers - 1, 3 * registers - 1, 4 * registers - 1, 4 * registers - 1)),
  )
}

/** 0, lane 0, lane 3, 0. */
// @ts-ignore: decorator
@inline
function ofOuterLanes(v: v128): v128 {
  return i8x16.shuffle(v, i32x4.splat(0), 16, 17, 18, 19, 0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19)
}
