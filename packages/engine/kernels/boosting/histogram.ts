// Histograms of a node: 256 i64 sums per column of the round, and the search over them.

import { heavyEnough, joinLanes, NO_SPLIT, bestScore, scores } from './gain'
import { binCount, BINS, columnCount, gradients, histograms, MISSING, roundColumn, rowBytes, rowCodes } from './layout'

const COLUMN_BYTES: usize = <usize>BINS << 3

// @ts-ignore: decorator
@inline
export function slotAt(slot: i32): usize {
  return histograms + <usize>slot * <usize>columnCount * COLUMN_BYTES
}

// @ts-ignore: decorator
@inline
function add(bin: usize, value: i64): void {
  store<i64>(bin, load<i64>(bin) + value)
}

/** Sums the rows' gradients per code, four columns per pass over a row. */
export function buildHistogram(slot: i32, list: usize, rows: i32): void {
  const table = slotAt(slot)
  memory.fill(table, 0, <usize>columnCount * COLUMN_BYTES)
  let index = 0
  for (; index + 4 <= columnCount; index += 4) {
    const t = table + <usize>index * COLUMN_BYTES
    const a = rowCodes + <usize>roundColumn(index)
    const b = rowCodes + <usize>roundColumn(index + 1)
    const c = rowCodes + <usize>roundColumn(index + 2)
    const d = rowCodes + <usize>roundColumn(index + 3)
    for (let at = list, end = list + (<usize>rows << 2); at < end; at += 4) {
      const place = <usize>load<u32>(at)
      const row = place * rowBytes
      const value = load<i64>(gradients + (place << 3))
      add(t + (<usize>load<u8>(a + row) << 3), value)
      add(t + COLUMN_BYTES + (<usize>load<u8>(b + row) << 3), value)
      add(t + 2 * COLUMN_BYTES + (<usize>load<u8>(c + row) << 3), value)
      add(t + 3 * COLUMN_BYTES + (<usize>load<u8>(d + row) << 3), value)
    }
  }
  for (; index < columnCount; index++) {
    const t = table + <usize>index * COLUMN_BYTES
    const a = rowCodes + <usize>roundColumn(index)
    for (let at = list, end = list + (<usize>rows << 2); at < end; at += 4) {
      const place = <usize>load<u32>(at)
      add(t + (<usize>load<u8>(a + place * rowBytes) << 3), load<i64>(gradients + (place << 3)))
    }
  }
}

/** What is left of a parent without one child is the other child. */
export function subtractHistogram(slot: i32, other: i32): void {
  const to = slotAt(slot)
  const from = slotAt(other)
  for (let i: usize = 0, size = <usize>columnCount * COLUMN_BYTES; i < size; i += 32) {
    v128.store(to + i, i64x2.sub(v128.load(to + i), v128.load(from + i)))
    v128.store(to + i, i64x2.sub(v128.load(to + i, 16), v128.load(from + i, 16)), 16)
  }
}

// @ts-ignore: decorator
@inline
function runningSums(v: v128): v128 {
  const zero = i32x4.splat(0)
  v = i32x4.add(v, i8x16.shuffle(zero, v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27))
  return i32x4.add(v, i8x16.shuffle(zero, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23))
}

// @ts-ignore: decorator
@inline
function lastLane(v: v128): v128 {
  return i8x16.shuffle(v, v, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15)
}

/** Scores the cut after every code. `g0`, `h0`: sums that go left in any case (missing values, when they go left). */
function scanColumn(table: usize, keyBase: i32, g: i32, h: i32, g0: i32, h0: i32): void {
  const allG = i32x4.splat(g)
  const allH = i32x4.splat(h)
  let best = f32x4.splat(bestScore)
  let bestKeys = i32x4.splat(NO_SPLIT)
  let bestGs = i32x4.splat(0)
  let bestHs = i32x4.splat(0)
  let beforeG = i32x4.splat(g0)
  let beforeH = i32x4.splat(h0)
  let key = i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(keyBase))
  for (let at = table, end = table + (<usize>binCount << 3); at < end; at += 32) {
    const x = v128.load(at)
    const y = v128.load(at, 16)
    // An i64 sum g << 32 + h: h is the low half, g the high half, for h is never negative.
    const binG = i8x16.shuffle(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
    const binH = i8x16.shuffle(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
    const leftG = i32x4.add(runningSums(binG), beforeG)
    const leftH = i32x4.add(runningSums(binH), beforeH)
    beforeG = lastLane(leftG)
    beforeH = lastLane(leftH)
    const score = scores(leftG, leftH, allG, allH)
    const better = v128.and(f32x4.gt(score, best), heavyEnough(leftH, allH))
    best = v128.bitselect(score, best, better)
    bestKeys = v128.bitselect(key, bestKeys, better)
    bestGs = v128.bitselect(leftG, bestGs, better)
    bestHs = v128.bitselect(leftH, bestHs, better)
    key = i32x4.add(key, i32x4.splat(4))
  }
  if (v128.any_true(i32x4.ne(bestKeys, i32x4.splat(NO_SPLIT)))) joinLanes(best, bestKeys, bestGs, bestHs)
}

export function searchHistogram(slot: i32, g: i32, h: i32): void {
  for (let index = 0; index < columnCount; index++) {
    const table = slotAt(slot) + <usize>index * COLUMN_BYTES
    const missing = load<i64>(table + (<usize>MISSING << 3))
    scanColumn(table, index << 16, g, h, 0, 0)
    if (missing != 0) {
      scanColumn(table, (index << 16) | 0x100, g, h, <i32>(missing >> 32), <i32>missing)
    }
  }
}
