// Histograms of a node: 256 i64 sums per column of the round, and the search over them.

import { countVisits, shouldStop } from '../shared/cancel'
import { bar, considerCuts, mayBeat } from './gain'
import {
  binCount, BINS, chunkValues, columnCount, gradients, histograms, lambda, MISSING, roundColumn, roundTakesAll, rowBytes,
  rowCodes,
} from './layout'

const COLUMN_BYTES: usize = <usize>BINS << 3
/** Bytes of sixteen bins. */
const RUN_BYTES: usize = 128

// @ts-ignore: decorator
@inline
export function slotAt(slot: i32): usize {
  return histograms + <usize>slot * <usize>columnCount * COLUMN_BYTES
}

// @ts-ignore: decorator
@inline
function add(table: usize, code: usize, value: i64): void {
  const bin = table + (code << 3)
  store<i64>(bin, load<i64>(bin) + value)
}

// @ts-ignore: decorator
@inline
function byteOf(codes: u64, index: u64): usize {
  return <usize>((codes >> (index << 3)) & 0xff)
}

/** Rows that are added to all columns before the next ones are looked at: their codes stay in the nearest cache. */
export const CHUNK_ROWS: i32 = 512

// The rows of a chunk: a u32 list of places, whose codes lie `stride` apart from `codes` on, and `chunkValues`, an i64
// gradient << 32 + hessian for each.

/** Eight neighbouring columns of a row in one load. */
function addEight(t: usize, codes: usize, stride: usize, list: usize, end: usize): void {
  const t1 = t + COLUMN_BYTES
  const t2 = t + 2 * COLUMN_BYTES
  const t3 = t + 3 * COLUMN_BYTES
  const t4 = t + 4 * COLUMN_BYTES
  const t5 = t + 5 * COLUMN_BYTES
  const t6 = t + 6 * COLUMN_BYTES
  const t7 = t + 7 * COLUMN_BYTES
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    const eight = load<u64>(codes + <usize>load<u32>(at) * stride)
    const value = load<i64>(from)
    add(t, byteOf(eight, 0), value)
    add(t1, byteOf(eight, 1), value)
    add(t2, byteOf(eight, 2), value)
    add(t3, byteOf(eight, 3), value)
    add(t4, byteOf(eight, 4), value)
    add(t5, byteOf(eight, 5), value)
    add(t6, byteOf(eight, 6), value)
    add(t7, byteOf(eight, 7), value)
  }
}

/** Any four columns. */
function addFour(
  t: usize, a: usize, b: usize, c: usize, d: usize, codes: usize, stride: usize, list: usize, end: usize,
): void {
  const t1 = t + COLUMN_BYTES
  const t2 = t + 2 * COLUMN_BYTES
  const t3 = t + 3 * COLUMN_BYTES
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    const row = codes + <usize>load<u32>(at) * stride
    const value = load<i64>(from)
    add(t, load<u8>(a + row), value)
    add(t1, load<u8>(b + row), value)
    add(t2, load<u8>(c + row), value)
    add(t3, load<u8>(d + row), value)
  }
}

function addOne(t: usize, codes: usize, stride: usize, list: usize, end: usize): void {
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    add(t, load<u8>(codes + <usize>load<u32>(at) * stride), load<i64>(from))
  }
}

export function clearHistogram(slot: i32): void {
  memory.fill(slotAt(slot), 0, <usize>columnCount * COLUMN_BYTES)
}

/** Adds the values of a chunk's rows to the sums per code, as many columns per pass over the rows as can be. */
export function addChunk(slot: i32, codes: usize, stride: usize, list: usize, end: usize): void {
  let table = slotAt(slot)
  let index = 0
  while (index < columnCount) {
    let columns = 1
    if (roundTakesAll && index + 8 <= columnCount) {
      columns = 8
      addEight(table, codes + <usize>index, stride, list, end)
    } else if (index + 4 <= columnCount) {
      columns = 4
      addFour(
        table, roundColumn(index), roundColumn(index + 1), roundColumn(index + 2), roundColumn(index + 3), codes, stride,
        list, end,
      )
    } else addOne(table, codes + roundColumn(index), stride, list, end)
    index += columns
    table += <usize>columns * COLUMN_BYTES
  }
  countVisits(columnCount * CHUNK_ROWS)
}

/** Adds the listed rows, no more than a chunk of them. */
export function addToHistogram(slot: i32, list: usize, end: usize): void {
  for (let at = list, to = chunkValues; at < end; at += 4, to += 8) {
    store<i64>(to, load<i64>(gradients + (<usize>load<u32>(at) << 3)))
  }
  addChunk(slot, rowCodes, rowBytes, list, end)
}

/** The histogram of the listed rows; incomplete once the fit is cancelled. */
export function buildHistogram(slot: i32, list: usize, rows: i32): void {
  clearHistogram(slot)
  const end = list + (<usize>rows << 2)
  for (let at = list; at < end && !shouldStop(); at += <usize>CHUNK_ROWS << 2) {
    addToHistogram(slot, at, min(end, at + (<usize>CHUNK_ROWS << 2)))
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

export function addHistogram(to: usize, from: usize): void {
  for (let i: usize = 0, size = <usize>columnCount * COLUMN_BYTES; i < size; i += 32) {
    v128.store(to + i, i64x2.add(v128.load(to + i), v128.load(from + i)))
    v128.store(to + i, i64x2.add(v128.load(to + i, 16), v128.load(from + i, 16)), 16)
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

// An i64 sum g << 32 + h: h is the low half, g the high half, for h is never negative.
/** The sums up to and including each of four bins, without those before. */
// @ts-ignore: decorator
@inline
function sumsOfG(at: usize): v128 {
  return runningSums(
    i8x16.shuffle(
      v128.load(at), v128.load(at, 16), 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31,
    ),
  )
}

// @ts-ignore: decorator
@inline
function sumsOfH(at: usize): v128 {
  return runningSums(
    i8x16.shuffle(
      v128.load(at), v128.load(at, 16), 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27,
    ),
  )
}

/**
 * Looks at the cut after every code, sixteen at a time. `g0`, `h0`: sums that go left in any case (missing values, when
 * they go left).
 */
function scanColumn(table: usize, keyBase: i32, g: i32, h: i32, g0: i32, h0: i32): void {
  const allG = i32x4.splat(g)
  const allH = i32x4.splat(h)
  const l = f32x4.splat(lambda)
  let threshold = bar()
  let beforeG = i32x4.splat(g0)
  let beforeH = i32x4.splat(h0)
  let key = keyBase
  for (let at = table, end = table + (<usize>binCount << 3); at < end; at += RUN_BYTES, key += 16) {
    const g1 = i32x4.add(sumsOfG(at), beforeG)
    const h1 = i32x4.add(sumsOfH(at), beforeH)
    const g2 = i32x4.add(sumsOfG(at + 32), lastLane(g1))
    const h2 = i32x4.add(sumsOfH(at + 32), lastLane(h1))
    const g3 = i32x4.add(sumsOfG(at + 64), lastLane(g2))
    const h3 = i32x4.add(sumsOfH(at + 64), lastLane(h2))
    const g4 = i32x4.add(sumsOfG(at + 96), lastLane(g3))
    const h4 = i32x4.add(sumsOfH(at + 96), lastLane(h3))
    beforeG = lastLane(g4)
    beforeH = lastLane(h4)
    const better = v128.or(
      v128.or(mayBeat(g1, h1, allG, allH, l, threshold), mayBeat(g2, h2, allG, allH, l, threshold)),
      v128.or(mayBeat(g3, h3, allG, allH, l, threshold), mayBeat(g4, h4, allG, allH, l, threshold)),
    )
    if (v128.any_true(better)) {
      const keys = i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(key))
      considerCuts(g1, h1, keys)
      considerCuts(g2, h2, i32x4.add(keys, i32x4.splat(4)))
      considerCuts(g3, h3, i32x4.add(keys, i32x4.splat(8)))
      considerCuts(g4, h4, i32x4.add(keys, i32x4.splat(12)))
      threshold = bar()
    }
  }
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
  countVisits(columnCount * BINS)
}
