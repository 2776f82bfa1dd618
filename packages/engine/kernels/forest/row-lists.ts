// Lists of block rows: dividing them, and adding up what leaves say about them. An entry is sixteen times the number of
// its row.

import { CHOICE_COUNTS, CHOICES, recordShift, scratch, SUMS } from './scratch'

/** Which side of a split stays in place: the rows up to the cut, or those above it. */
export const LEFT: i32 = 0
export const RIGHT: i32 = 0xff

/** Where the list of a node ends for the next one to begin: eight entries are read and written at once. */
export function roundedUp(count: i32): i32 {
  return (count + 7) & ~7
}

/** How many of eight list entries a mask chooses. `tables` is `scratch`, which a loop should read once. */
function chosenCount(tables: usize, mask: i32): usize {
  return <usize>load<u8>(tables + <usize>mask, CHOICE_COUNTS)
}

function otherCount(tables: usize, mask: i32): usize {
  return <usize>load<u8>(tables + <usize>mask, CHOICE_COUNTS + 256)
}

/** Writes those of eight list entries whose bit is set. */
function writeChosen(tables: usize, entries: v128, mask: i32, to: usize): void {
  v128.store(to, i8x16.swizzle(entries, v128.load(tables + (<usize>mask << 5), CHOICES)))
}

/** Writes those whose bit is not set. */
function writeOthers(tables: usize, entries: v128, mask: i32, to: usize): void {
  v128.store(to, i8x16.swizzle(entries, v128.load(tables + (<usize>mask << 5), CHOICES + 16)))
}

/** Writes those of eight list entries whose bit is set to a list's end, and returns where it ends then. */
export function keepChosen(tables: usize, entries: v128, mask: i32, end: usize): usize {
  writeChosen(tables, entries, mask, end)
  return end + (chosenCount(tables, mask) << 1)
}

/** 1 when the code of an entry's row exceeds the cut. */
function isAbove(codes: usize, shift: usize, entry: usize, cut: i32): i32 {
  return <i32>(<i32>load<u8>(codes + (<usize>load<u16>(entry) << shift)) > cut)
}

/** One bit for each of eight entries. */
// @ts-ignore: decorator
@inline
function above(codes: usize, shift: usize, entries: usize, cut: i32): i32 {
  const firstFour =
    isAbove(codes, shift, entries, cut) | (isAbove(codes, shift, entries + 2, cut) << 1) |
    (isAbove(codes, shift, entries + 4, cut) << 2) | (isAbove(codes, shift, entries + 6, cut) << 3)
  const lastFour =
    isAbove(codes, shift, entries + 8, cut) | (isAbove(codes, shift, entries + 10, cut) << 1) |
    (isAbove(codes, shift, entries + 12, cut) << 2) | (isAbove(codes, shift, entries + 14, cut) << 3)
  return firstFour | (lastFour << 4)
}

/**
 * Divides `count` rows by their code in a column: those of one side stay at the front of their list, in their order,
 * the others go to `away`. Returns how many stay. Entries beyond the end of the list are divided as well, but only to
 * the ends of both: up to eight entries beyond them are written.
 */
export function divide(codes: usize, cut: i32, staying: i32, list: usize, count: i32, away: usize): i32 {
  // Records of sixteen bytes are the rule, and a shift that the compiler knows costs nothing.
  return recordShift == 4
    ? divideRecords(codes, 0, cut, staying, list, count, away)
    : divideRecords(codes, recordShift - 4, cut, staying, list, count, away)
}

// @ts-ignore: decorator
@inline
function divideRecords(
  codes: usize, shift: usize, cut: i32, staying: i32, list: usize, count: i32, away: usize,
): i32 {
  const tables = scratch
  let front = list
  let left = count
  let goes = 0
  for (let at = list; left > 0; at += 16, left -= 8) {
    const rows = v128.load(at)
    goes = above(codes, shift, at, cut) ^ staying
    // Entries read so far that are not at the front are away.
    writeChosen(tables, rows, goes, away + (at - front))
    writeOthers(tables, rows, goes, front)
    front += otherCount(tables, goes) << 1
  }
  const beyond = (goes ^ 0xff) >> (8 + left)
  return <i32>((front - list) >> 1) - <i32>chosenCount(tables, beyond)
}

/** As `divide`, without keeping those that go. */
export function keepSide(codes: usize, cut: i32, staying: i32, list: usize, count: i32): void {
  if (recordShift == 4) keepRecords(codes, 0, cut, staying, list, count)
  else keepRecords(codes, recordShift - 4, cut, staying, list, count)
}

// @ts-ignore: decorator
@inline
function keepRecords(codes: usize, shift: usize, cut: i32, staying: i32, list: usize, count: i32): void {
  const tables = scratch
  const going = staying ^ 0xff
  let front = list
  let left = count
  for (let at = list; left > 0; at += 16, left -= 8) {
    front = keepChosen(tables, v128.load(at), above(codes, shift, at, cut) ^ going, front)
  }
}

export function moveRows(from: usize, to: usize, count: i32): void {
  for (let offset: usize = 0, end = <usize>count << 1; offset < end; offset += 16) {
    v128.store(to + offset, v128.load(from + offset))
  }
}

export function addToSums(list: usize, count: i32, fraction: f64): void {
  const sums = scratch + SUMS
  for (let at = list, end = list + (<usize>count << 1); at < end; at += 2) {
    const sum = sums + (<usize>load<u16>(at) >> 1)
    store<f64>(sum, load<f64>(sum) + fraction)
  }
}

/** What two leaves of a split add to the rows that reach them, without dividing these first. */
export function addBothToSums(
  codes: usize, cut: i32, list: usize, count: i32, leftFraction: f64, rightFraction: f64,
): void {
  const sums = scratch + SUMS
  for (let at = list, end = list + (<usize>count << 1); at < end; at += 2) {
    const row = <usize>load<u16>(at)
    const sum = sums + (row >> 1)
    const goesLeft = <i32>load<u8>(codes + (row << (recordShift - 4))) <= cut
    store<f64>(sum, load<f64>(sum) + select<f64>(leftFraction, rightFraction, goesLeft))
  }
}
