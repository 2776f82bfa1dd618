// Counts rows by their codes: one i32 per bin holds rows << 21 | draws << 10 | draws of the lighter class, so that adding a
// row is a single addition. Up to three columns in one pass over the rows.

import { PACKED, recordShift, scratch, TABLE_BINS, TABLES } from './scratch'

export const TABLE_BYTES: usize = <usize>TABLE_BINS << 2

function add(table: usize, code: usize, value: i32): void {
  const bin = table + (code << 2)
  store<i32>(bin, load<i32>(bin) + value)
}

/** Adds a row of `count` columns, a number that the compiler knows. Its codes are read before the first bin is written. */
// @ts-ignore: decorator
@inline
function addRow(
  count: i32, table: usize, packed: usize, first: usize, second: usize, third: usize, row: usize, shift: usize,
): void {
  const record = row << shift
  const value = load<i32>(packed + (row >> 2))
  const a = <usize>load<u8>(first + record)
  const b = count > 1 ? <usize>load<u8>(second + record) : 0
  const c = count > 2 ? <usize>load<u8>(third + record) : 0
  add(table, a, value)
  if (count > 1) add(table + TABLE_BYTES, b, value)
  if (count > 2) add(table + 2 * TABLE_BYTES, c, value)
}

// @ts-ignore: decorator
@inline
function countIn(count: i32, first: usize, second: usize, third: usize, bag: usize, rows: i32): void {
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
      addRow(count, table, packed, first, second, third, a, 0)
      addRow(count, table, packed, first, second, third, b, 0)
      addRow(count, table, packed, first, second, third, c, 0)
      addRow(count, table, packed, first, second, third, d, 0)
    }
  }
  for (; at < end; at += 2) {
    addRow(count, table, packed, first, second, third, <usize>load<u16>(at), recordShift - 4)
  }
}

/** Counts the rows in `count` tables; `count` is 1 to 3. */
// @ts-ignore: decorator
@inline
export function countRows(count: i32, first: usize, second: usize, third: usize, bag: usize, rows: i32): void {
  if (count == 3) countIn(3, first, second, third, bag, rows)
  else if (count == 2) countIn(2, first, second, third, bag, rows)
  else countInOne(first, bag, rows)
}

/** Seldom called, and therefore not a part of the function that every node passes through. */
function countInOne(column: usize, bag: usize, rows: i32): void {
  countIn(1, column, column, column, bag, rows)
}
