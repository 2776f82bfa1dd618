// Sorts four lists of up to twelve keys in each half without leaving the processor; see `sort-lists.ts`, whose steps are
// meant. A sequence that rises and then falls is halved as long as its length is even: twelve, six, three keys.

import { firstHalves, halvesSwapped, lower, secondHalves, upper } from './lanes'

/** Writes columns of twelve keys that rise and then fall, sorted. */
// @ts-ignore: decorator
@inline
export function writeTwelveCleaned(
  keys: usize, a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, i: v128, j: v128, k: v128,
  l: v128,
): void {
  let t: v128
  t = lower(a, g); g = upper(a, g); a = t
  t = lower(b, h); h = upper(b, h); b = t
  t = lower(c, i); i = upper(c, i); c = t
  t = lower(d, j); j = upper(d, j); d = t
  t = lower(e, k); k = upper(e, k); e = t
  t = lower(f, l); l = upper(f, l); f = t
  t = lower(a, d); d = upper(a, d); a = t
  t = lower(b, e); e = upper(b, e); b = t
  t = lower(c, f); f = upper(c, f); c = t
  t = lower(g, j); j = upper(g, j); g = t
  t = lower(h, k); k = upper(h, k); h = t
  t = lower(i, l); l = upper(i, l); i = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(b, c); c = upper(b, c); b = t
  t = lower(d, f); f = upper(d, f); d = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, i); i = upper(g, i); g = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(h, i); i = upper(h, i); h = t
  t = lower(j, l); l = upper(j, l); j = t
  t = lower(j, k); k = upper(j, k); j = t
  t = lower(k, l); l = upper(k, l); k = t
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
}

/** Step 1 for twelve registers, by the smallest known network: 39 comparisons. Step 2 as well where they are `all`. */
// @ts-ignore: decorator
@inline
export function sortTwelve(keys: usize, all: bool): void {
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
  let t: v128
  t = lower(a, i); i = upper(a, i); a = t
  t = lower(b, h); h = upper(b, h); b = t
  t = lower(c, g); g = upper(c, g); c = t
  t = lower(d, l); l = upper(d, l); d = t
  t = lower(e, k); k = upper(e, k); e = t
  t = lower(f, j); j = upper(f, j); f = t
  t = lower(a, b); b = upper(a, b); a = t
  t = lower(c, f); f = upper(c, f); c = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(g, j); j = upper(g, j); g = t
  t = lower(h, i); i = upper(h, i); h = t
  t = lower(k, l); l = upper(k, l); k = t
  t = lower(a, c); c = upper(a, c); a = t
  t = lower(b, g); g = upper(b, g); b = t
  t = lower(f, k); k = upper(f, k); f = t
  t = lower(j, l); l = upper(j, l); j = t
  t = lower(a, d); d = upper(a, d); a = t
  t = lower(b, c); c = upper(b, c); b = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(i, l); l = upper(i, l); i = t
  t = lower(j, k); k = upper(j, k); j = t
  t = lower(b, e); e = upper(b, e); b = t
  t = lower(d, f); f = upper(d, f); d = t
  t = lower(g, i); i = upper(g, i); g = t
  t = lower(h, k); k = upper(h, k); h = t
  t = lower(b, d); d = upper(b, d); b = t
  t = lower(c, f); f = upper(c, f); c = t
  t = lower(g, j); j = upper(g, j); g = t
  t = lower(i, k); k = upper(i, k); i = t
  t = lower(c, d); d = upper(c, d); c = t
  t = lower(e, f); f = upper(e, f); e = t
  t = lower(g, h); h = upper(g, h); g = t
  t = lower(i, j); j = upper(i, j); i = t
  t = lower(e, g); g = upper(e, g); e = t
  t = lower(f, h); h = upper(f, h); f = t
  t = lower(d, e); e = upper(d, e); d = t
  t = lower(f, g); g = upper(f, g); f = t
  t = lower(h, i); i = upper(h, i); h = t
  if (all) {
    l = halvesSwapped(l); t = lower(a, l); l = upper(a, l); a = firstHalves(t, l); l = secondHalves(t, l)
    k = halvesSwapped(k); t = lower(b, k); k = upper(b, k); b = firstHalves(t, k); k = secondHalves(t, k)
    j = halvesSwapped(j); t = lower(c, j); j = upper(c, j); c = firstHalves(t, j); j = secondHalves(t, j)
    i = halvesSwapped(i); t = lower(d, i); i = upper(d, i); d = firstHalves(t, i); i = secondHalves(t, i)
    h = halvesSwapped(h); t = lower(e, h); h = upper(e, h); e = firstHalves(t, h); h = secondHalves(t, h)
    g = halvesSwapped(g); t = lower(f, g); g = upper(f, g); f = firstHalves(t, g); g = secondHalves(t, g)
    return writeTwelveCleaned(keys, a, b, c, d, e, f, g, h, i, j, k, l)
  }
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
}
