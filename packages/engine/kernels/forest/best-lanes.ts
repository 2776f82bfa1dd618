// The best split of a node, kept as four independent candidates, one per vector lane, until the node is done.

import { BEST_KEY, BEST_LEFT, BEST_SCORE, scratch } from './scratch'

/** Larger than any key: no split found. */
export const NO_SPLIT: i32 = 0x7fffffff

// @ts-ignore: decorator
@inline
export function resetBest(): void {
  // Below every score: as in scikit-learn a split that gains nothing is still a split of an impure node.
  v128.store(scratch, f32x4.splat(-1), BEST_SCORE)
  v128.store(scratch, i32x4.splat(NO_SPLIT), BEST_KEY)
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

/** The key of the highest score, of equal scores the lowest key. `bestLeft()` then tells what went left. */
export function bestKey(): i32 {
  const score = v128.load(scratch, BEST_SCORE)
  const key = v128.load(scratch, BEST_KEY)
  let highest = f32x4.max(score, swapLanes(score))
  highest = f32x4.max(highest, swapLaneHalves(highest))
  let lowest = v128.bitselect(key, i32x4.splat(NO_SPLIT), f32x4.eq(score, highest))
  lowest = i32x4.min_s(lowest, swapLanes(lowest))
  lowest = i32x4.min_s(lowest, swapLaneHalves(lowest))
  let left = v128.and(v128.load(scratch, BEST_LEFT), i32x4.eq(key, lowest))
  left = v128.or(left, swapLanes(left))
  left = v128.or(left, swapLaneHalves(left))
  leftOfBest = i32x4.extract_lane(left, 0)
  return i32x4.extract_lane(lowest, 0)
}

let leftOfBest: i32 = 0

// @ts-ignore: decorator
@inline
export function bestLeft(): i32 {
  return leftOfBest
}

/**
 * How much purer two children are than their node, for four candidate splits: (l1 W - P l)^2 / (l r), which orders
 * splits as the decrease of Gini impurity does. l is the left weight, r = W - l, l1 the left weight of the class that
 * P counts. Every product but the square is exact up to BLOCK_WEIGHT. Where l is 0 the answer is NaN, which never wins.
 */
// @ts-ignore: decorator
@inline
export function purity(left: v128, leftPositives: v128, weight: v128, positives: v128): v128 {
  const l = f32x4.convert_i32x4_s(left)
  const difference = f32x4.sub(
    f32x4.mul(f32x4.convert_i32x4_s(leftPositives), weight),
    f32x4.mul(l, positives),
  )
  return f32x4.div(f32x4.mul(difference, difference), f32x4.mul(l, f32x4.sub(weight, l)))
}
