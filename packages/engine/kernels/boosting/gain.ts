// The best split of a node so far. Of equal ones the first column of the round wins, then "missing goes right", then
// the lowest code. A key is column index << 16 | missing goes left << 8 | code.
//
// With x = H_l + lambda, y = H_r + lambda and d = G_l y - G_r x, XGBoost's score of a split is
//   G_l^2 / x + G_r^2 / y = (G^2 + d^2 / (x y)) / (H + 2 lambda),
// so d^2 / (x y) alone orders the splits of a node. It is called a split's *contrast* here.

import { lambda, minChildWeight, minGain } from './layout'

export const NO_SPLIT: i32 = 0x7fffffff

export let bestContrast: f32 = 0
export let bestKey: i32 = 0
export let bestG: i32 = 0
export let bestH: i32 = 0
let nodeG: i32 = 0
let nodeH: i32 = 0
/** The contrast at which a split scores no more than its node. */
let freeContrast: f32 = 0
/** H + 2 lambda. */
let wholeH: f32 = 0

export function resetBest(g: i32, h: i32): void {
  nodeG = g
  nodeH = h
  freeContrast = ((<f32>g * <f32>g) / (<f32>h + lambda)) * lambda
  wholeH = <f32>h + lambda + lambda
  bestContrast = freeContrast + minGain * wholeH
  bestKey = NO_SPLIT
}

/** By how much the best split's score exceeds that of its node. */
export function bestGain(): f32 {
  return (bestContrast - freeContrast) / wholeH
}

/** A little less than the best contrast, so that rounding never hides a better cut. */
// @ts-ignore: decorator
@inline
export function bar(): v128 {
  return f32x4.splat(bestContrast * <f32>0.99999)
}

/** Which of four cuts may beat the bar: d^2 > bar x y. Spares the division for nearly all. */
// @ts-ignore: decorator
@inline
export function mayBeat(leftG: v128, leftH: v128, g: v128, h: v128, regularisation: v128, bar: v128): v128 {
  const x = f32x4.add(f32x4.convert_i32x4_s(leftH), regularisation)
  const y = f32x4.add(f32x4.convert_i32x4_s(i32x4.sub(h, leftH)), regularisation)
  const difference = f32x4.sub(
    f32x4.mul(f32x4.convert_i32x4_s(leftG), y), f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(g, leftG)), x),
  )
  return f32x4.gt(f32x4.mul(difference, difference), f32x4.mul(bar, f32x4.mul(x, y)))
}

/** Considers four cuts exactly, in their order. */
export function considerCuts(leftG: v128, leftH: v128, keys: v128): void {
  const l = f32x4.splat(lambda)
  const least = f32x4.splat(minChildWeight)
  const hl = f32x4.convert_i32x4_s(leftH)
  const hr = f32x4.convert_i32x4_s(i32x4.sub(i32x4.splat(nodeH), leftH))
  const x = f32x4.add(hl, l)
  const y = f32x4.add(hr, l)
  const difference = f32x4.sub(
    f32x4.mul(f32x4.convert_i32x4_s(leftG), y),
    f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(i32x4.splat(nodeG), leftG)), x),
  )
  const contrast = f32x4.div(f32x4.mul(difference, difference), f32x4.mul(x, y))
  const heavyEnough = v128.and(f32x4.ge(hl, least), f32x4.ge(hr, least))
  const allowed = v128.bitselect(contrast, f32x4.splat(-1), heavyEnough)
  considerCut(f32x4.extract_lane(allowed, 0), i32x4.extract_lane(keys, 0), i32x4.extract_lane(leftG, 0), i32x4.extract_lane(leftH, 0))
  considerCut(f32x4.extract_lane(allowed, 1), i32x4.extract_lane(keys, 1), i32x4.extract_lane(leftG, 1), i32x4.extract_lane(leftH, 1))
  considerCut(f32x4.extract_lane(allowed, 2), i32x4.extract_lane(keys, 2), i32x4.extract_lane(leftG, 2), i32x4.extract_lane(leftH, 2))
  considerCut(f32x4.extract_lane(allowed, 3), i32x4.extract_lane(keys, 3), i32x4.extract_lane(leftG, 3), i32x4.extract_lane(leftH, 3))
}

// @ts-ignore: decorator
@inline
function considerCut(contrast: f32, key: i32, leftG: i32, leftH: i32): void {
  if (contrast > bestContrast) {
    bestContrast = contrast
    bestKey = key
    bestG = leftG
    bestH = leftH
  }
}
