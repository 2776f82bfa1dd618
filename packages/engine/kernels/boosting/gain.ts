// The best split of a node so far. Of equal scores the first column of the round wins, then "missing goes right", then
// the lowest code. A key is column index << 16 | missing goes left << 8 | code.

import { lambda, minChildWeight, minGain } from './layout'

export const NO_SPLIT: i32 = 0x7fffffff

export let bestScore: f32 = 0
export let bestKey: i32 = 0
export let bestG: i32 = 0
export let bestH: i32 = 0
/** The node's own score: what a split must beat by `minGain`. */
export let ownScore: f32 = 0

export function resetBest(g: i32, h: i32): void {
  ownScore = (<f32>g * <f32>g) / (<f32>h + lambda)
  bestScore = ownScore + minGain
  bestKey = NO_SPLIT
}

/** G_l^2 / (H_l + lambda) + G_r^2 / (H_r + lambda) with a single division, for four cuts. */
// @ts-ignore: decorator
@inline
export function scores(leftG: v128, leftH: v128, g: v128, h: v128): v128 {
  const l = f32x4.splat(lambda)
  const gl = f32x4.convert_i32x4_s(leftG)
  const gr = f32x4.convert_i32x4_s(i32x4.sub(g, leftG))
  const hl = f32x4.add(f32x4.convert_i32x4_s(leftH), l)
  const hr = f32x4.add(f32x4.convert_i32x4_s(i32x4.sub(h, leftH)), l)
  return f32x4.div(
    f32x4.add(f32x4.mul(f32x4.mul(gl, gl), hr), f32x4.mul(f32x4.mul(gr, gr), hl)), f32x4.mul(hl, hr),
  )
}

/** Which of four cuts leave both children heavy enough. */
// @ts-ignore: decorator
@inline
export function heavyEnough(leftH: v128, h: v128): v128 {
  const least = f32x4.splat(minChildWeight)
  return v128.and(
    f32x4.ge(f32x4.convert_i32x4_s(leftH), least), f32x4.ge(f32x4.convert_i32x4_s(i32x4.sub(h, leftH)), least),
  )
}

/** Takes over the best of four lanes, each with the first of its best cuts. */
export function joinLanes(score: v128, key: v128, leftG: v128, leftH: v128): void {
  joinLane(f32x4.extract_lane(score, 0), i32x4.extract_lane(key, 0), i32x4.extract_lane(leftG, 0), i32x4.extract_lane(leftH, 0))
  joinLane(f32x4.extract_lane(score, 1), i32x4.extract_lane(key, 1), i32x4.extract_lane(leftG, 1), i32x4.extract_lane(leftH, 1))
  joinLane(f32x4.extract_lane(score, 2), i32x4.extract_lane(key, 2), i32x4.extract_lane(leftG, 2), i32x4.extract_lane(leftH, 2))
  joinLane(f32x4.extract_lane(score, 3), i32x4.extract_lane(key, 3), i32x4.extract_lane(leftG, 3), i32x4.extract_lane(leftH, 3))
}

// @ts-ignore: decorator
@inline
function joinLane(score: f32, key: i32, leftG: i32, leftH: i32): void {
  if (key == NO_SPLIT) return
  if (score > bestScore || (score == bestScore && key < bestKey && bestKey != NO_SPLIT)) {
    bestScore = score
    bestKey = key
    bestG = leftG
    bestH = leftH
  }
}
