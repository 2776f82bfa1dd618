// Sorts four lists of up to sixteen keys without leaving the processor; see `sort-lists.ts`, whose steps are meant.

import { firstHalves, halvesSwapped, lower, secondHalves, upper } from './lanes'

/** Eight keys of each list. */
// @ts-ignore: decorator
@inline
export function sortFour(keys: usize): void {
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
// @ts-ignore: decorator
@inline
export function sortEight(keys: usize): void {
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

/** Writes columns of sixteen keys that rise and then fall, sorted. */
// @ts-ignore: decorator
@inline
export function writeCleaned(
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

/** Step 1 for sixteen registers, by the smallest known network: 60 comparisons. Step 2 as well where they are `all`. */
// @ts-ignore: decorator
@inline
export function sortSixteen(keys: usize, all: bool): void {
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
  if (all) {
    p = halvesSwapped(p); t = lower(a, p); p = upper(a, p); a = firstHalves(t, p); p = secondHalves(t, p)
    o = halvesSwapped(o); t = lower(b, o); o = upper(b, o); b = firstHalves(t, o); o = secondHalves(t, o)
    n = halvesSwapped(n); t = lower(c, n); n = upper(c, n); c = firstHalves(t, n); n = secondHalves(t, n)
    m = halvesSwapped(m); t = lower(d, m); m = upper(d, m); d = firstHalves(t, m); m = secondHalves(t, m)
    l = halvesSwapped(l); t = lower(e, l); l = upper(e, l); e = firstHalves(t, l); l = secondHalves(t, l)
    k = halvesSwapped(k); t = lower(f, k); k = upper(f, k); f = firstHalves(t, k); k = secondHalves(t, k)
    j = halvesSwapped(j); t = lower(g, j); j = upper(g, j); g = firstHalves(t, j); j = secondHalves(t, j)
    i = halvesSwapped(i); t = lower(h, i); i = upper(h, i); h = firstHalves(t, i); i = secondHalves(t, i)
    return writeCleaned(keys, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
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
  v128.store(keys, m, 192)
  v128.store(keys, n, 208)
  v128.store(keys, o, 224)
  v128.store(keys, p, 240)
}
