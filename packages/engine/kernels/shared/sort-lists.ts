// Sorts lists of unsigned 16-bit keys side by side, without a branch that depends on the data.
//
// A register holds two halves of four keys: key s of either half belongs to list s. So every comparison serves four
// lists, and no step mixes them. With R registers (4, 8, 16 or 32) a list has 2R keys.
//   1. Sort down the registers: each half of all registers becomes a sorted column (a sorting network, no shuffles).
//   2. Merge the two columns: compare one with the other read backwards, which leaves the lower keys in the first halves
//      and the higher ones in the second, each rising then falling; distances R/2, R/4 … 1 between registers sort them.
// Sorted order: down the first halves, then down the second halves.
//
// Up to eight registers are sorted without leaving the processor, more of them in runs of sixteen.

import { backwards, firstHalves, halvesSwapped, lower, secondHalves, upper, zipFirst, zipSecond } from './lanes'
import { sortColumnsOfSixteen, sortEight, sortFour } from './sort-registers'

/** Writes columns of sixteen keys that rise and then fall, sorted. */
// @ts-ignore: decorator
@inline
function writeCleaned(
  keys: usize, a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, i: v128, j: v128, k: v128,
  l: v128, m: v128, n: v128, o: v128, p: v128,
): void {
  let t: v128
  t = lower(a, i); i = upper(a, i); a = t
  t = lower(b, j); j = upper(b, j); b = t
  t = lower(c, k); k = upper(c, k); c = t
  t = lower(d, l); l = upper(d, l); d = t
  t = lower(e, m); m = upper(e, m); e = t
  t = lower(f, n); n = upper(f, n); f = t
  t = lower(g, o); o = upper(g, o); g = t
  t = lower(h, p); p = upper(h, p); h = t
  t = lower(a, e); e = upper(a, e); a = t
  t = lower(b, f); f = upper(b, f); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(d, h); h = upper(d, h); d = t
  t = lower(i, m); m = upper(i, m); i = t
  t = lower(j, n); n = upper(j, n); j = t
  t = lower(k, o); o = upper(k, o); k = t
  t = lower(l, p); p = upper(l, p); l = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(i, k); k = upper(i, k); i = t
  t = lower(j, l); l = upper(j, l); j = t
  t = lower(m, o); o = upper(m, o); m = t
  t = lower(n, p); p = upper(n, p); n = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(i, j); j = upper(i, j); i = t
  t = lower(k, l); l = upper(k, l); k = t
  t = lower(m, n); n = upper(m, n); m = t
  t = lower(o, p); p = upper(o, p); o = t
  v128.store(keys, a)
  v128.store(keys, b, 16)
  v128.store(keys, c, 32)
  v128.store(keys, d, 48)
  v128.store(keys, e, 64)
  v128.store(keys, f, 80)
  v128.store(keys, g, 96)
  v128.store(keys, h, 112)
  v128.store(keys, i, 128)
  v128.store(keys, j, 144)
  v128.store(keys, k, 160)
  v128.store(keys, l, 176)
  v128.store(keys, m, 192)
  v128.store(keys, n, 208)
  v128.store(keys, o, 224)
  v128.store(keys, p, 240)
}

/** Sorts columns of sixteen keys that rise and then fall. */
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

/** Joins two runs of sixteen sorted registers. */
function joinRuns(keys: usize): void {
  cleanLower(keys, keys + 31 * 16, -16)
  cleanSixteen(keys + 16 * 16)
}

/** Step 2 for sixteen registers. */
function joinSixteen(keys: usize): void {
  let a = v128.load(keys)
  let b = v128.load(keys, 16)
  let c = v128.load(keys, 32)
  let d = v128.load(keys, 48)
  let e = v128.load(keys, 64)
  let f = v128.load(keys, 80)
  let g = v128.load(keys, 96)
  let h = v128.load(keys, 112)
  let i = v128.load(keys, 128)
  let j = v128.load(keys, 144)
  let k = v128.load(keys, 160)
  let l = v128.load(keys, 176)
  let m = v128.load(keys, 192)
  let n = v128.load(keys, 208)
  let o = v128.load(keys, 224)
  let p = v128.load(keys, 240)
  let t: v128
  p = halvesSwapped(p); t = lower(a, p); p = upper(a, p); a = firstHalves(t, p); p = secondHalves(t, p)
  o = halvesSwapped(o); t = lower(b, o); o = upper(b, o); b = firstHalves(t, o); o = secondHalves(t, o)
  n = halvesSwapped(n); t = lower(c, n); n = upper(c, n); c = firstHalves(t, n); n = secondHalves(t, n)
  m = halvesSwapped(m); t = lower(d, m); m = upper(d, m); d = firstHalves(t, m); m = secondHalves(t, m)
  l = halvesSwapped(l); t = lower(e, l); l = upper(e, l); e = firstHalves(t, l); l = secondHalves(t, l)
  k = halvesSwapped(k); t = lower(f, k); k = upper(f, k); f = firstHalves(t, k); k = secondHalves(t, k)
  j = halvesSwapped(j); t = lower(g, j); j = upper(g, j); g = firstHalves(t, j); j = secondHalves(t, j)
  i = halvesSwapped(i); t = lower(h, i); i = upper(h, i); h = firstHalves(t, i); i = secondHalves(t, i)
  writeCleaned(keys, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
}

/** Step 2 for 32 registers. */
function joinColumns(keys: usize): void {
  for (let at = keys, mirror = keys + 31 * 16; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = halvesSwapped(v128.load(mirror))
    const low = lower(a, b)
    const high = upper(a, b)
    v128.store(at, firstHalves(low, high))
    v128.store(mirror, secondHalves(low, high))
  }
  cleanLower(keys, keys + 16 * 16, 16)
  cleanSixteen(keys + 16 * 16)
}

/** Sorts four lists of 2 x `registers` keys in place; `registers` is 4, 8, 16 or 32. */
export function sortFourLists(keys: usize, registers: i32): void {
  if (registers == 4) sortFour(keys)
  else if (registers == 8) sortEight(keys)
  else {
    sortColumnsOfSixteen(keys)
    if (registers == 16) return joinSixteen(keys)
    sortColumnsOfSixteen(keys + 16 * 16)
    joinRuns(keys)
    joinColumns(keys)
  }
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
