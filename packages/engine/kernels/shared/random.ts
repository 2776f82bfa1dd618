// The generator of packages/core/src/random.ts, word for word: a kernel and its TypeScript twin draw the same numbers.

const GOLDEN: u32 = 0x9e3779b9

/** MurmurHash3's finaliser. */
// @ts-ignore: decorator
@inline
export function scramble(value: u32): u32 {
  let z = value
  z = (z ^ (z >> 16)) * 0x85ebca6b
  z = (z ^ (z >> 13)) * 0xc2b2ae35
  return z ^ (z >> 16)
}

// @ts-ignore: decorator
@inline
function mix(value: u32): u32 {
  return scramble(value + GOLDEN)
}

/** `deriveSeed(seed, part)` of core. */
// @ts-ignore: decorator
@inline
export function derivedSeed(seed: u32, part: u32): u32 {
  return mix((mix(seed) * 0x01000193) ^ part)
}

/** The `index`-th number of the SplitMix32 sequence of a seed: enough for the few draws of one node. */
// @ts-ignore: decorator
@inline
export function splitMix(seed: u32, index: u32): u32 {
  return scramble(seed + (index + 1) * GOLDEN)
}

/** A 32-bit draw scaled to [0, bound) by its high bits; the bias is below bound / 2^32. */
// @ts-ignore: decorator
@inline
export function scaled(draw: u32, bound: u32): u32 {
  return <u32>((<u64>draw * <u64>bound) >> 32)
}

/**
 * Draws `count` times one of `count` rows with replacement (xoshiro128**) and counts them in a byte each.
 * A count stops at `ceiling`, as long as it does not reach 256; with 2 million rows the chance of ever reaching 127 is
 * below 10^-200.
 */
export function drawCounts(counts: usize, count: u32, seed: u32, ceiling: u32): void {
  memory.fill(counts, 0, count)
  let a = splitMix(seed, 0)
  let b = splitMix(seed, 1)
  let c = splitMix(seed, 2)
  let d = splitMix(seed, 3)
  for (let i: u32 = 0; i < count; i++) {
    const draw = rotl<u32>(b * 5, 7) * 9
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotl<u32>(d, 11)
    const at = counts + <usize>scaled(draw, count)
    store<u8>(at, load<u8>(at) + 1)
  }
  limitCounts(counts, counts + count, ceiling)
}

function limitCounts(from: usize, end: usize, ceiling: u32): void {
  let at = from
  for (const limit = i8x16.splat(<i8>ceiling); at + 16 <= end; at += 16) {
    v128.store(at, i8x16.min_u(v128.load(at), limit))
  }
  for (; at < end; at++) store<u8>(at, <u8>min<u32>(<u32>load<u8>(at), ceiling))
}
