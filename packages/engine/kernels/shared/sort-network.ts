// Sorts two lists of up to 64 unsigned 16-bit keys at once, without a branch that depends on the data.
//
// The lists lie interleaved: a register holds four 32-bit lanes, each with a key of the first list (low half) and one
// of the second (high half). So every comparison serves both lists, and no step ever mixes them.
//   1. Sort down the registers: lane k of all registers becomes a sorted column (a sorting network, no shuffles).
//   2. Merge columns 0 and 2, and 1 and 3, each pair into 2R keys.
//   3. Merge the two results.
// A merge compares one list with the other read backwards, which leaves the lower and the upper half of the keys, each
// rising then falling; distances R/2, R/4 … 1 between registers then sort each column.
// Sorted order: down lane 0, then down lane 1, lane 2, lane 3. With R registers key i is in lane i / R, register i % R.
// More than 32 keys are two such groups of 8 registers, the lower 32 keys in the first.

import {
  backwards, evenLanes, firstHalves, halvesSwapped, lower, oddLanes, secondHalves, upper, zipFirst, zipSecond,
} from './lanes'

/** The largest count `sortKeyPairs` takes. */
export const SORTABLE: i32 = 64

/** How many registers a group has for `count` keys of each list: 2, 4 or 8. */
// @ts-ignore: decorator
@inline
export function registersFor(count: i32): i32 {
  return count <= 8 ? 2 : count <= 16 ? 4 : 8
}

/** Half of step 3 for a mirrored pair of registers, given their lower and upper keys; the other half is `crossRest`. */
// @ts-ignore: decorator
@inline
function crossFirst(low: v128, high: v128): v128 {
  const a = zipFirst(low, high)
  const b = zipSecond(low, high)
  return zipFirst(lower(a, b), upper(a, b))
}

// @ts-ignore: decorator
@inline
function crossRest(low: v128, high: v128): v128 {
  const a = zipFirst(low, high)
  const b = zipSecond(low, high)
  return zipSecond(lower(a, b), upper(a, b))
}

function sortTwoRegisters(keys: usize): void {
  let a = v128.load(keys)
  let b = v128.load(keys, 16)
  let low = lower(a, b)
  let high = halvesSwapped(upper(a, b))
  a = lower(low, high)
  b = upper(low, high)
  low = firstHalves(a, b)
  high = secondHalves(a, b)
  a = lower(low, high)
  b = backwards(upper(low, high))
  low = lower(a, b)
  high = upper(a, b)
  a = crossFirst(low, high)
  b = crossRest(low, high)
  v128.store(keys, lower(a, b))
  v128.store(keys, upper(a, b), 16)
}

function sortFourRegisters(keys: usize): void {
  let a = v128.load(keys)
  let b = v128.load(keys, 16)
  let c = v128.load(keys, 32)
  let d = v128.load(keys, 48)
  let t: v128
  // Columns.
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(b, c); c = upper(b, c); b = t
  // Halves.
  c = halvesSwapped(c); d = halvesSwapped(d)
  t = lower(a, d); d = upper(a, d); a = firstHalves(t, d); d = secondHalves(t, d)
  t = lower(b, c); c = upper(b, c); b = firstHalves(t, c); c = secondHalves(t, c)
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  // All.
  c = backwards(c); d = backwards(d)
  t = lower(a, d); d = upper(a, d); a = crossFirst(t, d); d = crossRest(t, d)
  t = lower(b, c); c = upper(b, c); b = crossFirst(t, c); c = crossRest(t, c)
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  v128.store(keys, lower(a, b))
  v128.store(keys, upper(a, b), 16)
  v128.store(keys, lower(c, d), 32)
  v128.store(keys, upper(c, d), 48)
}

function sortEightRegisters(keys: usize): void {
  let a = v128.load(keys)
  let b = v128.load(keys, 16)
  let c = v128.load(keys, 32)
  let d = v128.load(keys, 48)
  let e = v128.load(keys, 64)
  let f = v128.load(keys, 80)
  let g = v128.load(keys, 96)
  let h = v128.load(keys, 112)
  let t: v128
  // Columns, by the smallest known network for eight: 19 comparisons.
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(a, e); e = upper(a, e); a = t
  t = lower(b, f); f = upper(b, f); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(d, h); h = upper(d, h); d = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(c, e); e = upper(c, e); c = t
  t = lower(d, f); f = upper(d, f); d = t
  t = lower(b, e); e = upper(b, e); b = t
  t = lower(d, g); g = upper(d, g); d = t
  t = lower(b, c); c = upper(b, c); b = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(f, g); g = upper(f, g); f = t
  // Halves.
  e = halvesSwapped(e); f = halvesSwapped(f); g = halvesSwapped(g); h = halvesSwapped(h)
  t = lower(a, h); h = upper(a, h); a = firstHalves(t, h); h = secondHalves(t, h)
  t = lower(b, g); g = upper(b, g); b = firstHalves(t, g); g = secondHalves(t, g)
  t = lower(c, f); f = upper(c, f); c = firstHalves(t, f); f = secondHalves(t, f)
  t = lower(d, e); e = upper(d, e); d = firstHalves(t, e); e = secondHalves(t, e)
  t = lower(a, e); e = upper(a, e); a = t
  t = lower(b, f); f = upper(b, f); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(d, h); h = upper(d, h); d = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, h); h = upper(g, h); g = t
  // All.
  e = backwards(e); f = backwards(f); g = backwards(g); h = backwards(h)
  t = lower(a, h); h = upper(a, h); a = crossFirst(t, h); h = crossRest(t, h)
  t = lower(b, g); g = upper(b, g); b = crossFirst(t, g); g = crossRest(t, g)
  t = lower(c, f); f = upper(c, f); c = crossFirst(t, f); f = crossRest(t, f)
  t = lower(d, e); e = upper(d, e); d = crossFirst(t, e); e = crossRest(t, e)
  t = lower(a, e); e = upper(a, e); a = t
  t = lower(b, f); f = upper(b, f); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(d, h); h = upper(d, h); d = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  v128.store(keys, lower(a, b))
  v128.store(keys, upper(a, b), 16)
  v128.store(keys, lower(c, d), 32)
  v128.store(keys, upper(c, d), 48)
  v128.store(keys, lower(e, f), 64)
  v128.store(keys, upper(e, f), 80)
  v128.store(keys, lower(g, h), 96)
  v128.store(keys, upper(g, h), 112)
}

/** Sorts 32 keys that rise and then fall, in lane order: distances 16 and 8 between lanes, 4, 2 and 1 between registers. */
function mergeGroup(keys: usize): void {
  for (let at = keys; at < keys + 128; at += 32) {
    let a = v128.load(at)
    let b = v128.load(at, 16)
    let low = firstHalves(a, b)
    let high = secondHalves(a, b)
    a = lower(low, high)
    b = upper(low, high)
    low = evenLanes(a, b)
    high = oddLanes(a, b)
    a = zipFirst(lower(low, high), upper(low, high))
    b = zipSecond(lower(low, high), upper(low, high))
    v128.store(at, firstHalves(a, b))
    v128.store(at, secondHalves(a, b), 16)
  }
  for (let at = keys; at < keys + 64; at += 16) exchange(at, at + 64)
  for (let at = keys; at < keys + 32; at += 16) {
    exchange(at, at + 32)
    exchange(at + 64, at + 96)
  }
  for (let at = keys; at < keys + 128; at += 32) exchange(at, at + 16)
}

// @ts-ignore: decorator
@inline
function exchange(first: usize, second: usize): void {
  const a = v128.load(first)
  const b = v128.load(second)
  v128.store(first, lower(a, b))
  v128.store(second, upper(a, b))
}

function sortTwoGroups(keys: usize): void {
  const second = keys + 128
  sortEightRegisters(keys)
  sortEightRegisters(second)
  for (let i: usize = 0; i < 128; i += 16) {
    // Against the second list read backwards; the upper keys, turned round once more, still rise and fall.
    const a = v128.load(keys + i)
    const b = backwards(v128.load(second + 112 - i))
    v128.store(keys + i, lower(a, b))
    v128.store(second + 112 - i, backwards(upper(a, b)))
  }
  mergeGroup(keys)
  mergeGroup(second)
}

/** Sorts in place; unused keys must hold 0xffff. */
// @ts-ignore: decorator
@inline
export function sortKeyPairs(keys: usize, count: i32): void {
  if (count <= 8) sortTwoRegisters(keys)
  else if (count <= 16) sortFourRegisters(keys)
  else if (count <= 32) sortEightRegisters(keys)
  else sortTwoGroups(keys)
}
