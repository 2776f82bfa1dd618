// Scores every cut of sorted columns. Eight sums advance together, from both ends of the sorted order towards its
// middle: the first half of a vector goes up the lower rows, the second half down the upper rows. A cut parts its
// *outer* rows, those already passed, from the others; which side is called left does not change its score.
//
// Four columns: half h holds rows [hR, hR + R), R being the number of registers. Two columns: lane k holds rows
// [kR, kR + R), so that lanes 1 and 2 begin with the sums of lanes 0 and 3.

import { halvesSwapped, zipFirst as zipFirstLanes, zipSecond as zipLastLanes } from '../shared/lanes'
import { CLASS_BIT, DRAWS_MASK, FLOAT_OFFSET, FLOAT_UPPER, ONE, ONE_STEP, REFUSED_UPPER } from './constants'
import { KEYS, minLeaf, OUTER_DIFFERENCES, OUTER_WEIGHTS, scratch } from './scratch'
import { nodePositives, nodeRows, nodeWeight } from './node'

/** Larger than any key: no split found. */
export const NO_SPLIT: i32 = 0x7fffffff
/** The heaviest node whose differences fit 16 bits: they lie within +- weight^2 / 4. */
export const SORTED_WEIGHT: i32 = 362

/** Where a running difference is 0: as an unsigned number it has room on both sides then. */
const NO_DIFFERENCE: i16 = -0x8000

/** The draws of the lighter class on the outer side of a cut, from its weight and running difference. */
export function lighterOf(weight: i32, difference: i32): i32 {
  return (difference + <i32>NO_DIFFERENCE + nodePositives * weight) / nodeWeight
}

/** A running difference after a row whose draw counts `ofLighter` or `ofHeavier`, as is its class. */
function differenceAfter(before: v128, keys: v128, draws: v128, classBit: v128, ofLighter: v128, ofHeavier: v128): v128 {
  const ofDraw = v128.bitselect(ofLighter, ofHeavier, i16x8.eq(v128.and(keys, classBit), classBit))
  return i16x8.add(before, i16x8.mul(draws, ofDraw))
}

function zipFirst(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23)
}

function zipSecond(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31)
}

/** `purity` of four cuts, whose sums come as 2^23 + sum. */
function purityOf(difference: v128, sides: v128, differenceOffset: v128, offset: v128): v128 {
  const d = f32x4.sub(difference, differenceOffset)
  return f32x4.div(f32x4.mul(d, d), f32x4.sub(sides, offset))
}

/** Rows 0, 1, 2 … of the first half and R - 1, R - 2, R - 3 … of the second, then what follows in the middle. */
function folded(front: usize, back: usize): v128 {
  return i8x16.shuffle(
    v128.load64_zero(front), v128.load64_zero(back, 8), 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23,
  )
}

/**
 * Steps from register `start` to the middle, and scores the cuts from step `skipped` on. `late` halves join a step
 * later. With `outerRows`, the rows passed before the first step per key, cuts are refused that leave too few of them.
 * Keys of the cuts are `lowest` + step in the first half and `highest` - step in the second, steps counted from the
 * first that is scored.
 *
 * A running difference is purity's l1 W - P l. Scores are compared by their bits, as whole numbers: those of refused
 * cuts, whose denominator is made negative, are the lowest.
 */
// @ts-ignore: decorator
@inline
function scoreFrom(
  registers: i32, start: i32, skipped: i32, weightBefore: v128, differenceBefore: v128, late: v128,
  checkRows: bool, outerRows: v128, lowest: v128, highest: v128,
): i64 {
  const one = v128.load(scratch, ONE)
  const oneStep = v128.load(scratch, ONE_STEP)
  const drawsMask = v128.load(scratch, DRAWS_MASK)
  const classBit = v128.load(scratch, CLASS_BIT)
  const upper = v128.load(scratch, FLOAT_UPPER)
  const refusedUpper = v128.load(scratch, REFUSED_UPPER)
  const offset = v128.load(scratch, FLOAT_OFFSET)
  const differenceOffset = f32x4.add(offset, f32x4.splat(0x8000))
  const weight = i16x8.splat(<i16>nodeWeight)
  const ofLighter = i16x8.splat(<i16>(nodeWeight - nodePositives))
  const ofHeavier = i16x8.splat(<i16>-nodePositives)
  const end = scratch + KEYS + (<usize>(registers - 1) << 4)
  let front = scratch + KEYS + (<usize>start << 4)
  let back = end - (<usize>start << 4)
  let sums = scratch
  let outer = weightBefore
  let difference = differenceBefore
  let here = folded(front, back)
  for (const scored = scratch + (<usize>skipped << 4); sums < scored; sums += 16) {
    front += 16
    back -= 16
    const draws = v128.and(here, drawsMask)
    outer = i16x8.add(outer, draws)
    difference = differenceAfter(difference, here, draws, classBit, ofLighter, ofHeavier)
    here = folded(front, back)
  }
  const cutRange = i16x8.splat(<i16>(nodeRows - 2 * minLeaf))
  let beyondFirstCut = i16x8.sub(outerRows, i16x8.splat(<i16>(minLeaf - 1)))
  let step = i32x4.splat(0)
  // Below every score: as in scikit-learn a split that gains nothing is still a split of an impure node.
  let firstScore = i32x4.splat(-1)
  let secondScore = firstScore
  let firstStep = step
  let secondStep = step
  let code = v128.bitselect(i16x8.shr_u(folded(front + 16, back - 16), 8), i16x8.shr_u(here, 8), late)
  for (; front <= end; sums += 16) {
    front += 16
    back -= 16
    const next = folded(front, back)
    const draws = v128.and(here, drawsMask)
    outer = i16x8.add(outer, draws)
    difference = differenceAfter(difference, here, draws, classBit, ofLighter, ofHeavier)
    v128.store(sums, outer, OUTER_WEIGHTS)
    v128.store(sums, difference, OUTER_DIFFERENCES)
    const nextCode = i16x8.shr_u(next, 8)
    let refused = i16x8.eq(code, nextCode)
    if (checkRows) {
      refused = v128.or(refused, i16x8.gt_u(beyondFirstCut, cutRange))
      beyondFirstCut = i16x8.add(beyondFirstCut, one)
    }
    // The lower halves of the denominators. Their upper ones are the bits of 2^23 or, of refused cuts, of -2^23.
    const sides = i16x8.mul(outer, i16x8.sub(weight, outer))
    const uppers = v128.bitselect(refusedUpper, upper, refused)
    const first = purityOf(zipFirst(difference, upper), zipFirst(sides, uppers), differenceOffset, offset)
    firstStep = v128.bitselect(step, firstStep, i32x4.gt_s(first, firstScore))
    firstScore = i32x4.max_s(first, firstScore)
    const second = purityOf(zipSecond(difference, upper), zipSecond(sides, uppers), differenceOffset, offset)
    // On the way down a later cut is a lower one, so it wins where scores are equal.
    secondStep = v128.bitselect(step, secondStep, i32x4.ge_s(second, secondScore))
    secondScore = i32x4.max_s(second, secondScore)
    step = i32x4.add(step, oneStep)
    here = next
    code = nextCode
  }
  const better = i32x4.gt_s(secondScore, firstScore)
  return highestWithLowestKey(
    i32x4.max_s(secondScore, firstScore),
    v128.bitselect(i32x4.sub(highest, secondStep), i32x4.add(lowest, firstStep), better),
  )
}

/**
 * The bits of the highest score, negative when there is no cut, above those of its key, which are turned round, so that
 * of equal scores the lowest key wins: one comparison minds both.
 */
// @ts-ignore: decorator
@inline
function highestWithLowestKey(scores: v128, keys: v128): i64 {
  const turned = v128.not(keys)
  const first = zipFirstLanes(turned, scores)
  const second = zipLastLanes(turned, scores)
  const ofTwo = v128.bitselect(first, second, i64x2.gt_s(first, second))
  const a = i64x2.extract_lane(ofTwo, 0)
  const b = i64x2.extract_lane(ofTwo, 1)
  return select<i64>(a, b, a > b)
}

export function scoreBitsOf(found: i64): i32 {
  return <i32>(found >> 32)
}

/** draw << 16 | rows on the left. */
export function keyOf(found: i64): i32 {
  return ~<i32>found
}

/**
 * Scores four sorted columns, of which the first was drawn as number `draw`. The `empty` first places hold no row,
 * nor do as many last ones or, with an odd number of rows, one more. Returns the best cut for `scoreBitsOf` and
 * `keyOf`.
 */
// @ts-ignore: decorator
@inline
export function scoreFour(registers: i32, empty: i32, draw: i32): i64 {
  const front = scratch + KEYS
  const end = front + (<usize>registers << 4)
  const middle = v128.bitselect(v128.load(end - 16), v128.load(front), i64x2(-1, 0))
  const crossed = halvesSwapped(middle)
  v128.store(end, crossed)
  v128.store(front - 16, crossed)
  // With an odd number of rows the second half has one less.
  const odd = nodeRows & 1
  const late = i64x2(0, -<i64>odd)
  const draws = i32x4.add(i32x4.splat(draw << 16), i32x4(0, 0x10000, 0x20000, 0x30000))
  const none = i32x4.splat(0)
  return scoreFrom(
    registers, empty, minLeaf - 1, none, i16x8.splat(NO_DIFFERENCE), late, false, none,
    i32x4.add(draws, i32x4.splat(minLeaf)), i32x4.add(draws, i32x4.splat(nodeRows + odd - minLeaf)),
  )
}

/** Scores two sorted columns; what it returns is as above. */
export function scoreTwo(registers: i32, draw: i32): i64 {
  const front = scratch + KEYS
  const end = front + (<usize>registers << 4)
  const ofLighter = i16x8.splat(<i16>(nodeWeight - nodePositives))
  const ofHeavier = i16x8.splat(<i16>-nodePositives)
  const classBit = v128.load(scratch, CLASS_BIT)
  let weights = i32x4.splat(0)
  let differences = weights
  for (let at = front; at < end; at += 16) {
    const keys = v128.load(at)
    const draws = v128.and(keys, i16x8.splat(127))
    weights = i16x8.add(weights, draws)
    differences = differenceAfter(differences, keys, draws, classBit, ofLighter, ofHeavier)
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
  return scoreFrom(
    registers, 0, 0, ofOuterLanes(weights), i16x8.add(ofOuterLanes(differences), i16x8.splat(NO_DIFFERENCE)),
    i32x4.splat(0), true, outerRows,
    i32x4.add(draws, i32x4(1, 1, registers + 1, registers + 1)),
    i32x4.add(draws, i32x4(3 * registers - 1, 3 * registers - 1, 4 * registers - 1, 4 * registers - 1)),
  )
}

/** 0, lane 0, lane 3, 0. */
function ofOuterLanes(v: v128): v128 {
  return i8x16.shuffle(v, i32x4.splat(0), 16, 17, 18, 19, 0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19)
}
