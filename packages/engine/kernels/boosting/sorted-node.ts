// Search of a node with at most 64 rows: two columns at a time, its rows sorted by code in vector registers.
// A sort key is code << 8 | index among the node's rows.
//
// scratch: 256 bytes of keys; i64 gradient << 32 + hessian of each of the node's rows (512 bytes); then the cuts of
// one column, in order: i64 sums that go left (640 bytes, some more than needed), and a byte each with their codes.

import { countVisits } from '../shared/cancel'
import { registersForTwo, sortTwoLists } from '../shared/sort-lists'
import { bend, considerEight, gradientsOf, hessiansOf, level, middleSums, reachOf, setBestKey, slope } from './gain'
import { columnCount, gradients, MISSING, roundColumn, rowBytes, rowCodes, scratch } from './layout'

const ROW_SUMS: usize = 256
const CUT_SUMS: usize = 768
const CUT_CODES: usize = 1408
/** Bytes of eight cuts. */
const RUN_BYTES: usize = 64

function loadGradients(list: usize, rows: i32): void {
  let to = scratch + ROW_SUMS
  for (let at = list, end = list + (<usize>rows << 2); at < end; at += 4, to += 8) {
    store<i64>(to, load<i64>(gradients + (<usize>load<u32>(at) << 3)))
  }
}

function gatherKeys(first: usize, second: usize, list: usize, rows: i32, registers: i32): void {
  let key = scratch
  const end = key + (<usize>registers << 4)
  for (let at = key + ((<usize>rows << 2) & ~15); at < end; at += 16) v128.store(at, i32x4.splat(-1))
  let index: u32 = 0
  for (let at = list, stop = list + (<usize>rows << 2); at < stop; at += 4, key += 4, index += 0x10001) {
    const row = <usize>load<u32>(at) * rowBytes
    store<u32>(key, (<u32>load<u8>(first + row) << 8) | (<u32>load<u8>(second + row) << 24) | index)
  }
}

/**
 * Lists the cuts of one sorted column, after every code but that of missing values, and behind them the last one again.
 * Returns the address behind the last cut.
 */
function listCuts(half: usize, registers: i32): usize {
  const laneBytes = <usize>registers << 4
  const sums = scratch + ROW_SUMS
  let sum: i64 = 0
  let cut = scratch + CUT_SUMS - 8
  let codeAt = scratch + CUT_CODES - 1
  let previous: u32 = 0x100
  for (let lane = scratch + half, end = lane + 16; lane < end; lane += 4) {
    for (let at = lane; at < lane + laneBytes; at += 16) {
      const key = <u32>load<u16>(at)
      const code = key >> 8
      // Unused keys look like missing values.
      if (code == MISSING) return padCuts(cut + 8, sum)
      sum += load<i64>(sums + (<usize>(key & 0xff) << 3))
      // Rows of the same code overwrite each other's cut: only the last one counts.
      const isNew = <usize>(code != previous)
      cut += isNew << 3
      codeAt += isNew
      store<i64>(cut, sum)
      store<u8>(codeAt, <u8>code)
      previous = code
    }
  }
  return padCuts(cut + 8, sum)
}

/** The last cut once more never wins against itself, so that cuts may be looked at eight at a time. */
function padCuts(end: usize, sum: i64): usize {
  const last = i64x2.splat(sum)
  v128.store(end, last)
  v128.store(end, last, 16)
  v128.store(end, last, 32)
  v128.store(end, last, 48)
  return end
}

/** Looks at the listed cuts. `always` goes left in any case: the missing values, when they go left. */
function scanCuts(end: usize, keyBase: i32, always: i64): void {
  const slopes = f32x4.splat(slope)
  const middle = i64x2.splat(always - middleSums())
  let bends = f32x4.splat(bend)
  let levels = f32x4.splat(level)
  let codes = scratch + CUT_CODES
  for (let at = scratch + CUT_SUMS; at < end; at += RUN_BYTES, codes += 8) {
    const a = i64x2.add(v128.load(at), middle)
    const b = i64x2.add(v128.load(at, 16), middle)
    const c = i64x2.add(v128.load(at, 32), middle)
    const d = i64x2.add(v128.load(at, 48), middle)
    const reach = f32x4.max(
      reachOf(gradientsOf(a, b), hessiansOf(a, b), slopes, bends),
      reachOf(gradientsOf(c, d), hessiansOf(c, d), slopes, bends),
    )
    if (v128.any_true(f32x4.gt(reach, levels))) {
      const index = considerEight(at, always)
      if (index >= 0) setBestKey(keyBase | <i32>load<u8>(codes + <usize>index))
      bends = f32x4.splat(bend)
      levels = f32x4.splat(level)
    }
  }
}

function searchColumn(half: usize, registers: i32, index: i32, all: i64): void {
  const end = listCuts(half, registers)
  if (end == scratch + CUT_SUMS) return
  const missing = all - load<i64>(end - 8)
  scanCuts(end, index << 16, 0)
  if (missing != 0) scanCuts(end, (index << 16) | 0x100, missing)
}

export function searchSorted(list: usize, rows: i32, g: i32, h: i32): void {
  const all = (<i64>g << 32) + <i64>h
  const registers = registersForTwo(rows)
  loadGradients(list, rows)
  for (let index = 0; index < columnCount; index += 2) {
    const both = index + 1 < columnCount
    const first = rowCodes + roundColumn(index)
    const second = both ? rowCodes + roundColumn(index + 1) : first
    gatherKeys(first, second, list, rows, registers)
    sortTwoLists(scratch, registers)
    searchColumn(0, registers, index, all)
    if (both) searchColumn(2, registers, index + 1, all)
  }
  countVisits(4 * rows * columnCount)
}
