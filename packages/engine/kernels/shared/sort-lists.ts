// Sorts lists of unsigned 16-bit keys side by side, without a branch that depends on the data.
//
// A register holds two halves of four keys: key s of either half belongs to list s. So every comparison serves four
// lists, and no step mixes them. With R registers (a power of two, at least 4) a list has 2R keys.
//   1. Sort down the registers: each half of all registers becomes a sorted column (a sorting network, no shuffles).
//   2. Merge the two columns: compare one with the other read backwards, which leaves the lower keys in the first halves
//      and the higher ones in the second, each rising then falling; distances R/2, R/4 … 1 between registers sort them.
// Sorted order: down the first halves, then down the second halves.
//
// Up to eight registers are sorted without leaving the processor, more of them in runs of sixteen.

// @ts-ignore: decorator
@inline
function lower(a: v128, b: v128): v128 {
  return i16x8.min_u(a, b)
}

// @ts-ignore: decorator
@inline
function upper(a: v128, b: v128): v128 {
  return i16x8.max_u(a, b)
}

// @ts-ignore: decorator
@inline
function halvesSwapped(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
}

/** The first half of a, then that of b. */
// @ts-ignore: decorator
@inline
function firstHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

// @ts-ignore: decorator
@inline
function secondHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
}

/** Eight keys of each list. */
function sortFour(keys: usize): void {
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
  // Both together.
  d = halvesSwapped(d); t = lower(a, d); d = upper(a, d); a = firstHalves(t, d); d = secondHalves(t, d)
  c = halvesSwapped(c); t = lower(b, c); c = upper(b, c); b = firstHalves(t, c); c = secondHalves(t, c)
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  v128.store(keys, a)
  v128.store(keys, b, 16)
  v128.store(keys, c, 32)
  v128.store(keys, d, 48)
}

/** Sixteen keys of each list. */
function sortEight(keys: usize): void {
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
  // Both together.
  h = halvesSwapped(h); t = lower(a, h); h = upper(a, h); a = firstHalves(t, h); h = secondHalves(t, h)
  g = halvesSwapped(g); t = lower(b, g); g = upper(b, g); b = firstHalves(t, g); g = secondHalves(t, g)
  f = halvesSwapped(f); t = lower(c, f); f = upper(c, f); c = firstHalves(t, f); f = secondHalves(t, f)
  e = halvesSwapped(e); t = lower(d, e); e = upper(d, e); d = firstHalves(t, e); e = secondHalves(t, e)
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
  v128.store(keys, a)
  v128.store(keys, b, 16)
  v128.store(keys, c, 32)
  v128.store(keys, d, 48)
  v128.store(keys, e, 64)
  v128.store(keys, f, 80)
  v128.store(keys, g, 96)
  v128.store(keys, h, 112)
}

/** Step 1 for sixteen registers, by the smallest known network: 60 comparisons. */
function sortColumnsOfSixteen(keys: usize): void {
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
  t = lower(a, n); n = upper(a, n); a = t
  t = lower(b, m); m = upper(b, m); b = t
  t = lower(c, p); p = upper(c, p); c = t
  t = lower(d, o); o = upper(d, o); d = t
  t = lower(e, i); i = upper(e, i); e = t
  t = lower(f, g); g = upper(f, g); f = t
  t = lower(h, l); l = upper(h, l); h = t
  t = lower(j, k); k = upper(j, k); j = t
  t = lower(a, f); f = upper(a, f); a = t
  t = lower(b, h); h = upper(b, h); b = t
  t = lower(c, j); j = upper(c, j); c = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(g, n); n = upper(g, n); g = t
  t = lower(i, o); o = upper(i, o); i = t
  t = lower(k, p); p = upper(k, p); k = t
  t = lower(l, m); m = upper(l, m); l = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, i); i = upper(g, i); g = t
  t = lower(h, j); j = upper(h, j); h = t
  t = lower(k, l); l = upper(k, l); k = t
  t = lower(m, n); n = upper(m, n); m = t
  t = lower(o, p); p = upper(o, p); o = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(e, k); k = upper(e, k); e = t
  t = lower(f, l); l = upper(f, l); f = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(i, j); j = upper(i, j); i = t
  t = lower(m, o); o = upper(m, o); m = t
  t = lower(n, p); p = upper(n, p); n = t
  t = lower(b, c); c = upper(b, c); b = t
  t = lower(d, m); m = upper(d, m); d = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(i, k); k = upper(i, k); i = t
  t = lower(j, l); l = upper(j, l); j = t
  t = lower(n, o); o = upper(n, o); n = t
  t = lower(b, e); e = upper(b, e); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(f, i); i = upper(f, i); f = t
  t = lower(h, k); k = upper(h, k); h = t
  t = lower(j, n); n = upper(j, n); j = t
  t = lower(l, o); o = upper(l, o); l = t
  t = lower(c, e); e = upper(c, e); c = t
  t = lower(d, g); g = upper(d, g); d = t
  t = lower(j, m); m = upper(j, m); j = t
  t = lower(l, n); n = upper(l, n); l = t
  t = lower(d, f); f = upper(d, f); d = t
  t = lower(g, i); i = upper(g, i); g = t
  t = lower(h, j); j = upper(h, j); h = t
  t = lower(k, m); m = upper(k, m); k = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(f, g); g = upper(f, g); f = t
  t = lower(h, i); i = upper(h, i); h = t
  t = lower(j, k); k = upper(j, k); j = t
  t = lower(l, m); m = upper(l, m); l = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(i, j); j = upper(i, j); i = t
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

/** Sorts columns of keys that rise and then fall; `registers` is 16, 32 or 64. */
function cleanColumns(keys: usize, registers: i32): void {
  const end = keys + (<usize>registers << 4)
  for (let distance = <usize>registers << 3; distance >= 256; distance >>= 1) {
    for (let block = keys; block < end; block += 2 * distance) {
      for (let at = block; at < block + distance; at += 16) {
        const a = v128.load(at)
        const b = v128.load(at + distance)
        v128.store(at, lower(a, b))
        v128.store(at + distance, upper(a, b))
      }
    }
  }
  for (let at = keys; at < end; at += 256) cleanSixteen(at)
}

/** Joins two neighbouring runs of sorted registers into one of twice their length. */
function joinRuns(keys: usize, registers: i32): void {
  for (let at = keys, mirror = keys + (<usize>registers << 4) - 16; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = v128.load(mirror)
    v128.store(at, lower(a, b))
    v128.store(mirror, upper(a, b))
  }
  cleanColumns(keys, registers >> 1)
  cleanColumns(keys + (<usize>registers << 3), registers >> 1)
}

/** Step 2 for sixteen registers and more. */
function joinColumns(keys: usize, registers: i32): void {
  for (let at = keys, mirror = keys + (<usize>registers << 4) - 16; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = halvesSwapped(v128.load(mirror))
    const low = lower(a, b)
    const high = upper(a, b)
    v128.store(at, firstHalves(low, high))
    v128.store(mirror, secondHalves(low, high))
  }
  cleanColumns(keys, registers)
}

/** Sorts four lists of 2 x `registers` keys in place; `registers` is 4, 8, 16, 32 or 64. */
export function sortFourLists(keys: usize, registers: i32): void {
  if (registers == 4) sortFour(keys)
  else if (registers == 8) sortEight(keys)
  else {
    const end = keys + (<usize>registers << 4)
    for (let at = keys; at < end; at += 256) sortColumnsOfSixteen(at)
    for (let run = 32; run <= registers; run <<= 1) {
      for (let at = keys; at < end; at += <usize>run << 4) joinRuns(at, run)
    }
    joinColumns(keys, registers)
  }
}

/** Lanes 3, 2, 1, 0. */
// @ts-ignore: decorator
@inline
function lanesBackwards(v: v128): v128 {
  return halvesSwapped(i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11))
}

/** a0 b0 a1 b1. */
// @ts-ignore: decorator
@inline
function zipFirst(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
}

/** a2 b2 a3 b3. */
// @ts-ignore: decorator
@inline
function zipSecond(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)
}

/**
 * Sorts two lists of 4 x `registers` keys in place; `registers` is 16 or 32 (`sortKeyPairs` does less). The lists lie
 * interleaved: lane k of a register holds a key of each. As four lists they are sorted in halves first, then those are
 * merged. Sorted order: down lane 0, then down lane 1, lane 2, lane 3.
 */
export function sortTwoLists(keys: usize, registers: i32): void {
  sortFourLists(keys, registers)
  for (let at = keys, mirror = keys + (<usize>registers << 4) - 16; at < mirror; at += 16, mirror -= 16) {
    const a = v128.load(at)
    const b = lanesBackwards(v128.load(mirror))
    const low = lower(a, b)
    const high = upper(a, b)
    const first = zipFirst(low, high)
    const second = zipSecond(low, high)
    const lows = lower(first, second)
    const highs = upper(first, second)
    v128.store(at, zipFirst(lows, highs))
    v128.store(mirror, zipSecond(lows, highs))
  }
  cleanColumns(keys, registers)
}
