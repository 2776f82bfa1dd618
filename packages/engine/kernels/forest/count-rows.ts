// Counts rows by their codes: one i32 per bin holds rows << 21 | draws << 10 | draws of the lighter class, so that adding a
// row is a single addition. Several columns in one pass over the rows.

import { PACKED, recordShift, scratch, TABLE_BINS, TABLES } from './scratch'

export const TABLE_BYTES: usize = <usize>TABLE_BINS << 2

// @ts-ignore: decorator
@inline
function add(table: usize, code: usize, value: i32): void {
  const bin = table + (code << 2)
  store<i32>(bin, load<i32>(bin) + value)
}

export function countInOne(column: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2) {
    const row = <usize>load<u16>(at)
    add(table, load<u8>(column + (row << (recordShift - 4))), load<i32>(packed + (row >> 2)))
  }
}

// @ts-ignore: decorator
@inline
function addToTwo(table: usize, first: usize, second: usize, record: usize, value: i32): void {
  const a = <usize>load<u8>(first + record)
  const b = <usize>load<u8>(second + record)
  add(table, a, value)
  add(table + TABLE_BYTES, b, value)
}

// @ts-ignore: decorator
@inline
export function countInTwo(first: usize, second: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  const end = bag + (<usize>rows << 1)
  let at = bag
  // Records of sixteen bytes are the rule: four at a time, and by a shift that the compiler knows.
  if (recordShift == 4) {
    for (const lastFour = end - 6; at < lastFour; at += 8) {
      const a = <usize>load<u16>(at)
      const b = <usize>load<u16>(at, 2)
      const c = <usize>load<u16>(at, 4)
      const d = <usize>load<u16>(at, 6)
      addToTwo(table, first, second, a, load<i32>(packed + (a >> 2)))
      addToTwo(table, first, second, b, load<i32>(packed + (b >> 2)))
      addToTwo(table, first, second, c, load<i32>(packed + (c >> 2)))
      addToTwo(table, first, second, d, load<i32>(packed + (d >> 2)))
    }
  }
  for (; at < end; at += 2) {
    const row = <usize>load<u16>(at)
    addToTwo(table, first, second, row << (recordShift - 4), load<i32>(packed + (row >> 2)))
  }
}

// @ts-ignore: decorator
@inline
function addToThree(table: usize, first: usize, second: usize, third: usize, record: usize, value: i32): void {
  const a = <usize>load<u8>(first + record)
  const b = <usize>load<u8>(second + record)
  const c = <usize>load<u8>(third + record)
  add(table, a, value)
  add(table + TABLE_BYTES, b, value)
  add(table + 2 * TABLE_BYTES, c, value)
}

// @ts-ignore: decorator
@inline
export function countInThree(first: usize, second: usize, third: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  const end = bag + (<usize>rows << 1)
  let at = bag
  if (recordShift == 4) {
    for (const lastFour = end - 6; at < lastFour; at += 8) {
      const a = <usize>load<u16>(at)
      const b = <usize>load<u16>(at, 2)
      const c = <usize>load<u16>(at, 4)
      const d = <usize>load<u16>(at, 6)
      addToThree(table, first, second, third, a, load<i32>(packed + (a >> 2)))
      addToThree(table, first, second, third, b, load<i32>(packed + (b >> 2)))
      addToThree(table, first, second, third, c, load<i32>(packed + (c >> 2)))
      addToThree(table, first, second, third, d, load<i32>(packed + (d >> 2)))
    }
  }
  for (; at < end; at += 2) {
    const row = <usize>load<u16>(at)
    addToThree(table, first, second, third, row << (recordShift - 4), load<i32>(packed + (row >> 2)))
  }
}
