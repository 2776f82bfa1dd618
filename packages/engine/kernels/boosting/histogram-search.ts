// The search over the histogram of a node: the cut after every code of every column, sixteen at a time.

import { countVisits } from '../shared/cancel'
import { bend, considerEight, gradientsOf, hessiansOf, level, middleSums, reachOf, setBestKey, slope } from './gain'
import { COLUMN_BYTES, slotAt } from './histogram'
import { binCount, BINS, columnCount, MISSING, scratch } from './layout'

/** Bytes of a run of sixteen bins. */
const RUN_BYTES: usize = 128

/** The last sum of `a`, the first of `b`. */
function between(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
}

/**
 * Looks at cuts of a run exactly, in their order: at the first eight, the second eight, or all. `before` is what lies left
 * of the run.
 */
function considerRun(run: usize, before: i64, key: i32, first: bool, second: bool): void {
  let sum = before
  for (let i: usize = 0; i < RUN_BYTES; i += 8) {
    sum += load<i64>(run + i)
    store<i64>(scratch + i, sum)
  }
  if (first) considerHalf(scratch, key)
  if (second) considerHalf(scratch + RUN_BYTES / 2, key + 8)
}

function considerHalf(sums: usize, key: i32): void {
  const index = considerEight(sums, 0)
  if (index >= 0) setBestKey(key + index)
}

/** How far four cuts reach, by their sums seen from the middle, two in either vector. */
function reachOfFour(a: v128, b: v128, slopes: v128, bends: v128): v128 {
  return reachOf(gradientsOf(a, b), hessiansOf(a, b), slopes, bends)
}

/**
 * Looks at the cut after every code. `always` goes left in any case (missing values, when they go left).
 *
 * Two sums run side by side, one over the even bins so far, the other over the odd ones. A cut's sum is both together:
 * behind an odd bin both of the same pair, behind an even one the odd sum of the pair before.
 */
function scanColumn(table: usize, keyBase: i32, always: i64): void {
  const middle = middleSums()
  const slopes = f32x4.splat(slope)
  let bends = f32x4.splat(bend)
  let levels = f32x4.splat(level)
  let before = i64x2(0, 0)
  before = i64x2.replace_lane(before, 1, always - middle)
  let key = keyBase
  for (let at = table, end = table + (<usize>binCount << 3); at < end; at += RUN_BYTES, key += 16) {
    const a = i64x2.add(before, v128.load(at))
    const b = i64x2.add(a, v128.load(at, 16))
    const c = i64x2.add(b, v128.load(at, 32))
    const d = i64x2.add(c, v128.load(at, 48))
    const e = i64x2.add(d, v128.load(at, 64))
    const f = i64x2.add(e, v128.load(at, 80))
    const g = i64x2.add(f, v128.load(at, 96))
    const h = i64x2.add(g, v128.load(at, 112))
    const first = f32x4.max(
      reachOfFour(i64x2.add(a, between(before, a)), i64x2.add(b, between(a, b)), slopes, bends),
      reachOfFour(i64x2.add(c, between(b, c)), i64x2.add(d, between(c, d)), slopes, bends),
    )
    const second = f32x4.max(
      reachOfFour(i64x2.add(e, between(d, e)), i64x2.add(f, between(e, f)), slopes, bends),
      reachOfFour(i64x2.add(g, between(f, g)), i64x2.add(h, between(g, h)), slopes, bends),
    )
    if (v128.any_true(f32x4.gt(f32x4.max(first, second), levels))) {
      const sum = i64x2.extract_lane(before, 0) + i64x2.extract_lane(before, 1) + middle
      considerRun(at, sum, key, v128.any_true(f32x4.gt(first, levels)), v128.any_true(f32x4.gt(second, levels)))
      bends = f32x4.splat(bend)
      levels = f32x4.splat(level)
    }
    before = h
  }
}

export function searchHistogram(slot: i32): void {
  for (let index = 0; index < columnCount; index++) {
    const table = slotAt(slot) + <usize>index * COLUMN_BYTES
    const missing = load<i64>(table + (<usize>MISSING << 3))
    scanColumn(table, index << 16, 0)
    if (missing != 0) scanColumn(table, (index << 16) | 0x100, missing)
  }
  countVisits(columnCount * BINS)
}
