// Sorts lists of unsigned 16-bit keys side by side, without a branch that depends on the data.
//
// Four lists: a register holds two halves of four keys, and key s of either half belongs to list s. So every comparison
// serves four lists, and no step mixes them. With R registers a list has 2R keys.
//   1. Sort down the registers (`sortColumns`): each half of all registers becomes a sorted column.
//   2. Merge the two columns: compare one with the other read backwards, which leaves the lower keys in the first halves
//      and the higher ones in the second, each rising then falling; then `clean` them: distances R/2, R/4 … between
//      registers sort them, and where three are left, three comparisons.
// Sorted order: down the first halves, then down the second halves. Both steps are `sortFour`.
//
// Two lists: a register holds four 32-bit lanes, each with a key of the first list (low half) and one of the second, and
// a list has 4R keys. As four lists they are sorted in halves first, then those are merged in the same way (`sortTwo`).
// Sorted order: down lane 0, then down lane 1, lane 2, lane 3: key i is in lane i / R, register i % R.
//
// Up to sixteen registers are sorted without leaving the processor, more in two runs of half as many.

import {
  clean12, clean16, cleanLower12, cleanLower16, sortColumns12, sortColumns16, sortFour12, sortFour16, sortFour4,
  sortFour8, sortTwo16, sortTwo2, sortTwo4, sortTwo8,
} from '../generated/sorting-networks'
import { firstHalves, halvesSwapped, lower, secondHalves, upper } from './lanes'

/** Compares both columns of the registers up to `last`, one of them read backwards. */
// @ts-ignore: decorator
@inline
function mirrorColumns(keys: usize, last: usize): void {
  for (let at = keys, mirror = last; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = halvesSwapped(v128.load(mirror))
    const low = lower(a, b)
    const high = upper(a, b)
    v128.store(at, firstHalves(low, high))
    v128.store(mirror, secondHalves(low, high))
  }
}

/** Both runs sorted, joined, and then their columns. */
// @ts-ignore: decorator
@inline
function sortThirtyTwo(keys: usize): void {
  const second = keys + 16 * 16
  const last = keys + 31 * 16
  sortColumns16(keys)
  sortColumns16(second)
  cleanLower16(keys, last, -16)
  clean16(second)
  mirrorColumns(keys, last)
  cleanLower16(keys, second, 16)
  clean16(second)
}

/** As `sortThirtyTwo`. */
// @ts-ignore: decorator
@inline
function sortTwentyFour(keys: usize): void {
  const second = keys + 12 * 16
  const last = keys + 23 * 16
  sortColumns12(keys)
  sortColumns12(second)
  cleanLower12(keys, last, -16)
  clean12(second)
  mirrorColumns(keys, last)
  cleanLower12(keys, second, 16)
  clean12(second)
}

/** Sorts four lists of 2 x `registers` keys in place; `registers` is 4, 8, 12, 16, 24 or 32. */
// @ts-ignore: decorator
@inline
export function sortFourLists(keys: usize, registers: i32): void {
  if (registers == 4) sortFour4(keys)
  else if (registers == 8) sortFour8(keys)
  else if (registers == 12) sortFour12(keys)
  else if (registers == 16) sortFour16(keys)
  else if (registers == 24) sortTwentyFour(keys)
  else sortThirtyTwo(keys)
}

/** How many registers hold two lists of so many keys, up to 64: 2, 4, 8 or 16. */
export function registersForTwo(count: i32): i32 {
  return count <= 16 ? (count <= 8 ? 2 : 4) : count <= 32 ? 8 : 16
}

/** Sorts two lists of 4 x `registers` keys in place. */
export function sortTwoLists(keys: usize, registers: i32): void {
  if (registers == 2) sortTwo2(keys)
  else if (registers == 4) sortTwo4(keys)
  else if (registers == 8) sortTwo8(keys)
  else sortTwo16(keys)
}
