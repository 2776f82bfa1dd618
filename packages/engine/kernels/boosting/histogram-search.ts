// The search over the histogram of a node: the cut after every code of every column, sixteen at a time.

import { countVisits } from '../shared/cancel'
import { bend, considerEight, gradientsOf, hessiansOf, level, middleSums, reachOf, setBestKey, slope } from './gain'
import { COLUMN_BYTES, slotAt } from './histogram'
import { binCount, BINS, columnCount, MISSING, scratch } from './layout'

/** Bytes of a run of sixteen bins. */
const RUN_BYTES: usize = 128

// @ts-ignore: decorator
@inline
function firstOfBoth(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

// @ts-ignore: decorator
@inline
function secondOfBoth(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
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

/**
 * Looks at the cut after every code. `always` goes left in any case (missing values, when they go left).
 *
 * Two running sums side by side, over the first and the second eight bins of a run, so that hardly any addition waits
 * for another.
 */
function scanColumn(table: usize, keyBase: i32, always: i64): void {
  const middle = middleSums()
  let slopes = f32x4.splat(slope)
  let bends = f32x4.splat(bend)
  let levels = f32x4.splat(level)
  let before = i64x2.splat(always - middle)
  let key = keyBase
  for (let at = table, end = table + (<usize>binCount << 3); at < end; at += RUN_BYTES, key += 16) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    const e = v128.load(at, 64)
    const f = v128.load(at, 80)
    const g = v128.load(at, 96)
    const h = v128.load(at, 112)
    const sum0 = firstOfBoth(a, e)
    const sum1 = i64x2.add(sum0, secondOfBoth(a, e))
    const sum2 = i64x2.add(sum1, firstOfBoth(b, f))
    const sum3 = i64x2.add(sum2, secondOfBoth(b, f))
    const sum4 = i64x2.add(sum3, firstOfBoth(c, g))
    const sum5 = i64x2.add(sum4, secondOfBoth(c, g))
    const sum6 = i64x2.add(sum5, firstOfBoth(d, h))
    const sum7 = i64x2.add(sum6, secondOfBoth(d, h))
    const start = i64x2.add(before, firstOfBoth(i64x2.splat(0), sum7))
    const s0 = i64x2.add(start, sum0)
    const s1 = i64x2.add(start, sum1)
    const s2 = i64x2.add(start, sum2)
    const s3 = i64x2.add(start, sum3)
    const s4 = i64x2.add(start, sum4)
    const s5 = i64x2.add(start, sum5)
    const s6 = i64x2.add(start, sum6)
    const s7 = i64x2.add(start, sum7)
    const reach = f32x4.max(
      f32x4.max(
        reachOf(gradientsOf(s0, s1), hessiansOf(s0, s1), slopes, bends),
        reachOf(gradientsOf(s2, s3), hessiansOf(s2, s3), slopes, bends),
      ),
      f32x4.max(
        reachOf(gradientsOf(s4, s5), hessiansOf(s4, s5), slopes, bends),
        reachOf(gradientsOf(s6, s7), hessiansOf(s6, s7), slopes, bends),
      ),
    )
    const better = f32x4.gt(reach, levels)
    if (v128.any_true(better)) {
      // Even lanes have cuts of the first eight, odd lanes of the second.
      const lanes = i32x4.bitmask(better)
      considerRun(at, i64x2.extract_lane(before, 0) + middle, key, (lanes & 5) != 0, (lanes & 10) != 0)
      bends = f32x4.splat(bend)
      levels = f32x4.splat(level)
    }
    before = secondOfBoth(s7, s7)
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
