// Sorts lists of unsigned 16-bit keys side by side, without a branch that depends on the data.
//
// A register holds two halves of four keys: key s of either half belongs to list s. So every comparison serves four
// lists, and no step mixes them. With R registers (4, 8, 12, 16, 24 or 32) a list has 2R keys.
//   1. Sort down the registers: each half of all registers becomes a sorted column (a sorting network, no shuffles).
//   2. Merge the two columns: compare one with the other read backwards, which leaves the lower keys in the first halves
//      and the higher ones in the second, each rising then falling; distances R/2, R/4 … between registers sort them,
//      and where three are left, three comparisons.
// Sorted order: down the first halves, then down the second halves.
//
// Up to sixteen registers are sorted without leaving the processor, 24 and 32 in two runs of half as many.

import { backwards, firstHalves, halvesSwapped, lower, secondHalves, upper, zipFirst, zipSecond } from './lanes'
import { sortEight, sortFour, sortSixteen, writeCleaned } from './sort-registers'
import { sortTwelve, writeTwelveCleaned } from './sort-twelve'

/** Sorts columns of sixteen keys that rise and then fall. */
// @ts-ignore: decorator
@inline
function cleanSixteen(keys: usize): void {
  writeCleaned(
    keys, v128.load(keys), v128.load(keys, 16), v128.load(keys, 32), v128.load(keys, 48), v128.load(keys, 64),
    v128.load(keys, 80), v128.load(keys, 96), v128.load(keys, 112), v128.load(keys, 128), v128.load(keys, 144),
    v128.load(keys, 160), v128.load(keys, 176), v128.load(keys, 192), v128.load(keys, 208), v128.load(keys, 224),
    v128.load(keys, 240),
  )
}

/** Leaves the higher one of two registers' keys in the second, and returns the lower ones. */
// @ts-ignore: decorator
@inline
function lowerOf(first: usize, second: usize): v128 {
  const a = v128.load(first)
  const b = v128.load(second)
  v128.store(second, upper(a, b))
  return lower(a, b)
}

/** Compares sixteen registers with sixteen others, a `step` from one to the next, and sorts the lower keys. */
// @ts-ignore: decorator
@inline
function cleanLower(keys: usize, others: usize, step: usize): void {
  writeCleaned(
    keys, lowerOf(keys, others), lowerOf(keys + 16, others + step), lowerOf(keys + 32, others + 2 * step),
    lowerOf(keys + 48, others + 3 * step), lowerOf(keys + 64, others + 4 * step),
    lowerOf(keys + 80, others + 5 * step), lowerOf(keys + 96, others + 6 * step),
    lowerOf(keys + 112, others + 7 * step), lowerOf(keys + 128, others + 8 * step),
    lowerOf(keys + 144, others + 9 * step), lowerOf(keys + 160, others + 10 * step),
    lowerOf(keys + 176, others + 11 * step), lowerOf(keys + 192, others + 12 * step),
    lowerOf(keys + 208, others + 13 * step), lowerOf(keys + 224, others + 14 * step),
    lowerOf(keys + 240, others + 15 * step),
  )
}

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
  sortSixteen(keys, false)
  sortSixteen(second, false)
  cleanLower(keys, last, -16)
  cleanSixteen(second)
  mirrorColumns(keys, last)
  cleanLower(keys, second, 16)
  cleanSixteen(second)
}

/** `cleanSixteen` for twelve. */
// @ts-ignore: decorator
@inline
function cleanTwelve(keys: usize): void {
  writeTwelveCleaned(
    keys, v128.load(keys), v128.load(keys, 16), v128.load(keys, 32), v128.load(keys, 48), v128.load(keys, 64),
    v128.load(keys, 80), v128.load(keys, 96), v128.load(keys, 112), v128.load(keys, 128), v128.load(keys, 144),
    v128.load(keys, 160), v128.load(keys, 176),
  )
}

/** `cleanLower` for twelve. */
// @ts-ignore: decorator
@inline
function cleanLowerTwelve(keys: usize, others: usize, step: usize): void {
  writeTwelveCleaned(
    keys, lowerOf(keys, others), lowerOf(keys + 16, others + step), lowerOf(keys + 32, others + 2 * step),
    lowerOf(keys + 48, others + 3 * step), lowerOf(keys + 64, others + 4 * step),
    lowerOf(keys + 80, others + 5 * step), lowerOf(keys + 96, others + 6 * step),
    lowerOf(keys + 112, others + 7 * step), lowerOf(keys + 128, others + 8 * step),
    lowerOf(keys + 144, others + 9 * step), lowerOf(keys + 160, others + 10 * step),
    lowerOf(keys + 176, others + 11 * step),
  )
}

/** As `sortThirtyTwo`. */
// @ts-ignore: decorator
@inline
function sortTwentyFour(keys: usize): void {
  const second = keys + 12 * 16
  const last = keys + 23 * 16
  sortTwelve(keys, false)
  sortTwelve(second, false)
  cleanLowerTwelve(keys, last, -16)
  cleanTwelve(second)
  mirrorColumns(keys, last)
  cleanLowerTwelve(keys, second, 16)
  cleanTwelve(second)
}

/** Sorts four lists of 2 x `registers` keys in place; `registers` is 4, 8, 12, 16, 24 or 32. */
// @ts-ignore: decorator
@inline
export function sortFourLists(keys: usize, registers: i32): void {
  if (registers == 4) sortFour(keys)
  else if (registers == 8) sortEight(keys)
  else if (registers == 12) sortTwelve(keys, true)
  else if (registers == 16) sortSixteen(keys, true)
  else if (registers == 24) sortTwentyFour(keys)
  else sortThirtyTwo(keys)
}

/**
 * Sorts two lists of 64 keys in 16 registers in place (`sortKeyPairs` does less). The lists lie interleaved: lane k of a
 * register holds a key of each. As four lists they are sorted in halves first, then those are merged. Sorted order: down
 * lane 0, then down lane 1, lane 2, lane 3.
 */
export function sortTwoLists(keys: usize): void {
  sortFourLists(keys, 16)
  for (let at = keys, mirror = keys + 15 * 16; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = backwards(v128.load(mirror))
    const low = lower(a, b)
    const high = upper(a, b)
    const first = zipFirst(low, high)
    const second = zipSecond(low, high)
    const lows = lower(first, second)
    const highs = upper(first, second)
    v128.store(at, zipFirst(lows, highs))
    v128.store(mirror, zipSecond(lows, highs))
  }
  cleanSixteen(keys)
}
