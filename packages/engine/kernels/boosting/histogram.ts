// Histograms of a node: 256 i64 sums per column of the round.

import { countVisits, shouldStop } from '../shared/cancel'
import {
  BINS, CHUNK_ROWS, chunkValues, columnCount, gradients, histograms, roundColumn, roundTakesAll, rowBytes, rowCodes,
} from './layout'

export const COLUMN_BYTES: usize = <usize>BINS << 3

export function slotAt(slot: i32): usize {
  return histograms + <usize>slot * <usize>columnCount * COLUMN_BYTES
}

function add(table: usize, code: usize, value: i64): void {
  const bin = table + (code << 3)
  store<i64>(bin, load<i64>(bin) + value)
}

function byteOf(codes: u64, index: u64): usize {
  return <usize>((codes >> (index << 3)) & 0xff)
}

// The rows of a chunk: a u32 list of places, whose codes lie `stride` apart from `codes` on, and `chunkValues`, an i64
// gradient << 32 + hessian for each.

/** Eight neighbouring columns of a row in one load. */
function addEight(t: usize, codes: usize, stride: usize, list: usize, end: usize): void {
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    const eight = load<u64>(codes + <usize>load<u32>(at) * stride)
    const value = load<i64>(from)
    add(t, byteOf(eight, 0), value)
    add(t + COLUMN_BYTES, byteOf(eight, 1), value)
    add(t + 2 * COLUMN_BYTES, byteOf(eight, 2), value)
    add(t + 3 * COLUMN_BYTES, byteOf(eight, 3), value)
    add(t + 4 * COLUMN_BYTES, byteOf(eight, 4), value)
    add(t + 5 * COLUMN_BYTES, byteOf(eight, 5), value)
    add(t + 6 * COLUMN_BYTES, byteOf(eight, 6), value)
    add(t + 7 * COLUMN_BYTES, byteOf(eight, 7), value)
  }
}

/** Any four, two or one columns; the compiler knows how many, and leaves out the others. */
// @ts-ignore: decorator
@inline
function addColumns(count: i32, t: usize, index: i32, codes: usize, stride: usize, list: usize, end: usize): void {
  const a = codes + roundColumn(index)
  const b = count > 1 ? codes + roundColumn(index + 1) : 0
  const c = count > 2 ? codes + roundColumn(index + 2) : 0
  const d = count > 2 ? codes + roundColumn(index + 3) : 0
  for (let at = list, from = chunkValues; at < end; at += 4, from += 8) {
    const row = <usize>load<u32>(at) * stride
    const value = load<i64>(from)
    add(t, load<u8>(a + row), value)
    if (count > 1) add(t + COLUMN_BYTES, load<u8>(b + row), value)
    if (count > 2) {
      add(t + 2 * COLUMN_BYTES, load<u8>(c + row), value)
      add(t + 3 * COLUMN_BYTES, load<u8>(d + row), value)
    }
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
      addColumns(4, table, index, codes, stride, list, end)
    } else if (index + 2 <= columnCount) {
      columns = 2
      addColumns(2, table, index, codes, stride, list, end)
    } else addColumns(1, table, index, codes, stride, list, end)
    index += columns
    table += <usize>columns * COLUMN_BYTES
  }
  countVisits(columnCount * CHUNK_ROWS)
}

/** Adds the listed rows, no more than a chunk of them; takes them out again where `sign` is -1. */
export function addToHistogram(slot: i32, list: usize, end: usize, sign: i64): void {
  for (let at = list, to = chunkValues; at < end; at += 4, to += 8) {
    store<i64>(to, sign * load<i64>(gradients + (<usize>load<u32>(at) << 3)))
  }
  addChunk(slot, rowCodes, rowBytes, list, end)
}

/** As above, for any number of rows. The histogram is incomplete once the fit is cancelled. */
export function addAllToHistogram(slot: i32, list: usize, rows: i32, sign: i64): void {
  const end = list + (<usize>rows << 2)
  for (let at = list; at < end && !shouldStop(); at += <usize>CHUNK_ROWS << 2) {
    addToHistogram(slot, at, min(end, at + (<usize>CHUNK_ROWS << 2)), sign)
  }
}

export function buildHistogram(slot: i32, list: usize, rows: i32): void {
  clearHistogram(slot)
  addAllToHistogram(slot, list, rows, 1)
}

/** What is left of a parent without one child is the other child. */
export function subtractHistogram(slot: i32, other: i32): void {
  const to = slotAt(slot)
  const from = slotAt(other)
  for (let i: usize = 0, size = <usize>columnCount * COLUMN_BYTES; i < size; i += 16) {
    v128.store(to + i, i64x2.sub(v128.load(to + i), v128.load(from + i)))
  }
}

export function addHistogram(to: usize, from: usize): void {
  for (let i: usize = 0, size = <usize>columnCount * COLUMN_BYTES; i < size; i += 16) {
    v128.store(to + i, i64x2.add(v128.load(to + i), v128.load(from + i)))
  }
}
