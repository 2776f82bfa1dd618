// Histograms of a node: 256 i64 sums per column of the round.

import { countVisits, shouldStop } from '../shared/cancel'
import {
  BINS, CHUNK_ROWS, chunkValues, columnCount, gradients, histograms, roundColumn, roundTakesAll, rowBytes, rowCodes,
} from './layout'

export const COLUMN_BYTES: usize = <usize>BINS << 3

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

/** Any two columns. */
function addTwo(t: usize, a: usize, b: usize, codes: usize, stride: usize, list: usize, end: usize): void {
  const t1 = t + COLUMN_BYTES
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    const row = codes + <usize>load<u32>(at) * stride
    const value = load<i64>(from)
    add(t, load<u8>(a + row), value)
    add(t1, load<u8>(b + row), value)
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
    } else if (index + 2 <= columnCount) {
      columns = 2
      addTwo(table, roundColumn(index), roundColumn(index + 1), codes, stride, list, end)
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

/** Takes the listed rows out of a histogram, which is incomplete once the fit is cancelled. */
export function removeFromHistogram(slot: i32, list: usize, rows: i32): void {
  const end = list + (<usize>rows << 2)
  for (let from = list; from < end && !shouldStop(); from += <usize>CHUNK_ROWS << 2) {
    const to = min(end, from + (<usize>CHUNK_ROWS << 2))
    for (let at = from, value = chunkValues; at < to; at += 4, value += 8) {
      store<i64>(value, -load<i64>(gradients + (<usize>load<u32>(at) << 3)))
    }
    addChunk(slot, rowCodes, rowBytes, from, to)
  }
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
