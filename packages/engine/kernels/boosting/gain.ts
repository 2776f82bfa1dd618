// The best split of a node so far. Of equal ones the first column of the round wins, then "missing goes right", then
// the lowest code. A key is column index << 16 | missing goes left << 8 | code.
//
// With x = H_l + lambda, y = H_r + lambda and d = G_l y - G_r x, XGBoost's score of a split is
//   G_l^2 / x + G_r^2 / y = (G^2 + d^2 / (x y)) / (H + 2 lambda),
// so d^2 / (x y) alone orders the splits of a node. It is called a split's *contrast* here.

import { evenLanes, oddLanes } from '../shared/lanes'
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
/** 1 / wholeH. */
let inverse: f32 = 0

export function resetBest(g: i32, h: i32): void {
  nodeG = g
  nodeH = h
  freeContrast = ((<f32>g * <f32>g) / (<f32>h + lambda)) * lambda
  wholeH = <f32>h + lambda + lambda
  bestContrast = freeContrast + minGain * wholeH
  bestKey = NO_SPLIT
  inverse = 1 / wholeH
  slope = <f32>g * inverse
  setSieve()
}

/** By how much the best split's score exceeds that of its node. */
export function bestGain(): f32 {
  return (bestContrast - freeContrast) / wholeH
}

// The sieve: a cheap test that lets every cut through which may beat the best one, and few others. Seen from the middle
// of the node, with u = H_l - H / 2 and p = G_l - G / 2, a contrast above b means
//   (p - slope u)^2 + bend u^2 > level,   slope = G / W, bend = b / W^2, level = b / 4, W = H + 2 lambda.

export let slope: f32 = 0
export let bend: f32 = 0
export let level: f32 = 0

/** Half the sums of the node, as an i64 gradient << 32 + hessian: what lies left of the middle. */
export function middleSums(): i64 {
  return (<i64>(nodeG >> 1) << 32) + <i64>(nodeH >> 1)
}

/**
 * The level is lowered by what rounding may take from p - slope u, here or in the contrast: 16 units in the last place
 * of G_l and G_r (which are at most |p - slope u| + |G|), and one or two whole numbers for the halves and for a borrow
 * between the two halves of a packed sum.
 */
function setSieve(): void {
  const b = bestContrast
  const share = b * inverse
  bend = share * inverse
  const reach: f32 = sqrt<f32>(b)
  const error: f32 = <f32>(16 / 16777216.0) * (reach + abs<f32>(<f32>nodeG)) + abs<f32>(slope) + 2
  level = b * <f32>0.249997 - share - error * (reach + error)
}

// Four sums, i64 gradient << 32 + hessian, as two vectors of four: h is the low half, g the high half.

export function gradientsOf(a: v128, b: v128): v128 {
  return oddLanes(a, b)
}

export function hessiansOf(a: v128, b: v128): v128 {
  return evenLanes(a, b)
}

/** How far four cuts reach, by their sums seen from the middle; more than `level` when they may beat the best one. */
export function reachOf(p: v128, u: v128, slopes: v128, bends: v128): v128 {
  const x = f32x4.convert_i32x4_s(u)
  const y = f32x4.sub(f32x4.convert_i32x4_s(p), f32x4.mul(slopes, x))
  return f32x4.add(f32x4.mul(y, y), f32x4.mul(f32x4.mul(bends, x), x))
}

/** The contrasts of four cuts by their sums on the left, -1 where a child would be too light. */
// @ts-ignore: decorator
@inline
function contrasts(leftG: v128, leftH: v128): v128 {
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
  return v128.bitselect(contrast, f32x4.splat(-1), heavyEnough)
}

/** The highest lane, in all lanes. */
function highest(v: v128): v128 {
  v = f32x4.max(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  return f32x4.max(v, i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11))
}

/**
 * Considers eight cuts exactly; their sums on the left lie at `sums`, without what always goes left. Returns which one is
 * the best now, of equal ones the first, or -1. The caller notes its key.
 */
export function considerEight(sums: usize, always: i64): i32 {
  const more = i64x2.splat(always)
  const a = i64x2.add(v128.load(sums), more)
  const b = i64x2.add(v128.load(sums, 16), more)
  const c = i64x2.add(v128.load(sums, 32), more)
  const d = i64x2.add(v128.load(sums, 48), more)
  const four = contrasts(gradientsOf(a, b), hessiansOf(a, b))
  const fourMore = contrasts(gradientsOf(c, d), hessiansOf(c, d))
  const best = highest(f32x4.max(four, fourMore))
  const contrast = f32x4.extract_lane(best, 0)
  if (contrast <= bestContrast) return -1
  const index = ctz<i32>(i32x4.bitmask(f32x4.eq(four, best)) | (i32x4.bitmask(f32x4.eq(fourMore, best)) << 4))
  const sum = load<i64>(sums + (<usize>index << 3)) + always
  bestContrast = contrast
  bestG = <i32>(sum >> 32)
  bestH = <i32>sum
  setSieve()
  return index
}

export function setBestKey(key: i32): void {
  bestKey = key
}
