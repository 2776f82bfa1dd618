// The sort keys of a node's rows: code << 8 | lighter class << 7 | draws, so that a key carries all that scoring needs.
// Four columns side by side take 8 bytes of a row, two columns 4. Room that no row fills holds keys that sort last, in
// four columns by turns also keys that sort first, so that the rows end up in the middle; no code is 255.

import { OUTER_KEYS } from './constants'
import { drawnColumn } from './node'
import { DRAWN, KEYS, recordShift, RECORDS, scratch } from './scratch'

/** The last byte of a record of one register: draws and class. */
const PAYLOAD_INDEX: u64 = 15
const LAST_KEYS: u64 = 0xff00ff00ff00ff00

/** Where a record's payload and code are taken from for the key of a drawn column. */
function keyIndex(draw: i32): u64 {
  return (<u64>drawnColumn(draw) << 8) | PAYLOAD_INDEX
}

/** Shuffle indices that pick three or four drawn columns out of a record, each with the payload behind it. */
function keyIndices(draw: i32, count: i32): u64 {
  const drawn = load<u64>(scratch + (<usize>draw << 1), DRAWN)
  const four = count > 3 ? drawn : (drawn & 0xffffffffffff) | (drawn << 48)
  return (four << 8) | (PAYLOAD_INDEX * 0x0001000100010001)
}

/** The record that a list entry names; records take sixteen bytes here. */
function recordOf(records: usize, entry: usize): v128 {
  return v128.load(records + <usize>load<u16>(entry))
}

/** Keys of the drawn columns [draw, draw + count), at most four; a missing one repeats the first. */
// @ts-ignore: decorator
@inline
export function gatherFour(bag: usize, rows: i32, registers: i32, draw: i32, count: i32): void {
  const keys = scratch + KEYS
  if (recordShift == 4) {
    const indices = keyIndices(draw, count)
    const ofEven = i64x2(indices, -1)
    const ofOdd = i64x2(-1, indices)
    const records = scratch + RECORDS
    for (let at = bag, key = keys, end = bag + (<usize>rows << 1); at < end; at += 4, key += 16) {
      const even = i8x16.swizzle(recordOf(records, at), ofEven)
      const odd = i8x16.swizzle(recordOf(records, at + 2), ofOdd)
      v128.store(key, v128.or(even, odd))
    }
  } else {
    const missing = drawnColumn(draw)
    gatherWide(bag, rows, missing, drawnColumn(draw + 1), 8, 0)
    const third = count > 2 ? drawnColumn(draw + 2) : missing
    gatherWide(bag, rows, third, count > 3 ? drawnColumn(draw + 3) : missing, 8, 4)
  }
  // The last place is free with an odd number of rows; with an even one it is overwritten or lies behind all keys.
  store<u64>(keys + (<usize>rows << 3), LAST_KEYS)
  fillUp(keys + (<usize>(rows + 1) << 3 & ~15), keys + (<usize>registers << 4), v128.load(scratch, OUTER_KEYS))
}

/** Keys of one or two drawn columns. */
export function gatherTwo(bag: usize, rows: i32, registers: i32, draw: i32, count: i32): void {
  const keys = scratch + KEYS
  if (recordShift == 4) {
    const first = keyIndex(draw)
    const indices = <i32>(first | ((count > 1 ? keyIndex(draw + 1) : first) << 16))
    const of0 = i32x4(indices, -1, -1, -1)
    const of1 = i32x4(-1, indices, -1, -1)
    const of2 = i32x4(-1, -1, indices, -1)
    const of3 = i32x4(-1, -1, -1, indices)
    const records = scratch + RECORDS
    for (let at = bag, key = keys, end = bag + (<usize>rows << 1); at < end; at += 8, key += 16) {
      const ofFirstTwo = v128.or(
        i8x16.swizzle(recordOf(records, at), of0), i8x16.swizzle(recordOf(records, at + 2), of1),
      )
      const ofLastTwo = v128.or(
        i8x16.swizzle(recordOf(records, at + 4), of2), i8x16.swizzle(recordOf(records, at + 6), of3),
      )
      v128.store(key, v128.or(ofFirstTwo, ofLastTwo))
    }
  } else {
    const first = drawnColumn(draw)
    gatherWide(bag, rows, first, count > 1 ? drawnColumn(draw + 1) : first, 4, 0)
  }
  let at = keys + (<usize>rows << 2)
  for (; (at & 15) != 0; at += 4) store<u32>(at, <u32>LAST_KEYS)
  fillUp(at, keys + (<usize>registers << 4), i64x2.splat(LAST_KEYS))
}

/** Two columns of records that need more than one register, at an offset within each row's keys. */
function gatherWide(bag: usize, rows: i32, first: i32, second: i32, keyBytes: usize, offset: usize): void {
  const payloadIndex = (<usize>1 << recordShift) - 1
  let key = scratch + KEYS + offset
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2, key += keyBytes) {
    const codes = scratch + RECORDS + (<usize>load<u16>(at) << (recordShift - 4))
    const payload = <u32>load<u8>(codes + payloadIndex) * 0x10001
    store<u32>(key, (<u32>load<u8>(codes + <usize>first) << 8) | (<u32>load<u8>(codes + <usize>second) << 24) | payload)
  }
}

// @ts-ignore: decorator
@inline
function fillUp(from: usize, end: usize, keys: v128): void {
  for (let at = from; at < end; at += 16) v128.store(at, keys)
}
