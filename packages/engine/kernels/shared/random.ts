// The seeds of packages/core/src/random.ts, word for word, and draws of a bag: a kernel and its reference
// implementation draw the same numbers.

import { oddLanes } from './lanes'

const GOLDEN: u32 = 0x9e3779b9

/** MurmurHash3's finaliser. */
export function scramble(value: u32): u32 {
  let z = value
  z = (z ^ (z >> 16)) * 0x85ebca6b
  z = (z ^ (z >> 13)) * 0xc2b2ae35
  return z ^ (z >> 16)
}

function mix(value: u32): u32 {
  return scramble(value + GOLDEN)
}

/** `deriveSeed(seed, part)` of core. */
export function derivedSeed(seed: u32, part: u32): u32 {
  return mix((mix(seed) * 0x01000193) ^ part)
}

/** The `index`-th number of the SplitMix32 sequence of a seed: enough for the few draws of one node. */
export function splitMix(seed: u32, index: u32): u32 {
  return scramble(seed + (index + 1) * GOLDEN)
}

/** A 32-bit draw scaled to [0, bound) by its high bits; the bias is below bound / 2^32. */
export function scaled(draw: u32, bound: u32): u32 {
  return <u32>((<u64>draw * <u64>bound) >> 32)
}

/** `scramble` of four numbers. */
function scrambleFour(values: v128, first: v128, second: v128): v128 {
  let z = values
  z = i32x4.mul(v128.xor(z, i32x4.shr_u(z, 16)), first)
  z = i32x4.mul(v128.xor(z, i32x4.shr_u(z, 13)), second)
  return v128.xor(z, i32x4.shr_u(z, 16))
}

/** `scaled` of four draws: the upper halves of their products with the bound. */
function scaledFour(draws: v128, bound: v128): v128 {
  return oddLanes(i64x2.extmul_low_i32x4_u(draws, bound), i64x2.extmul_high_i32x4_u(draws, bound))
}

function countOne(counts: usize, row: u32): void {
  const at = counts + <usize>row
  store<u8>(at, load<u8>(at) + 1)
}

/** Two rows in one number. */
function countTwo(counts: usize, rows: u64): void {
  countOne(counts, <u32>rows)
  countOne(counts, <u32>(rows >>> 32))
}

/**
 * Draws `count` times one of `count` rows with replacement and counts them in a byte each. Draw number i is the scrambled
 * value of start + i x stride, so that four are made at once; every seed has a start and an (odd) stride of its own.
 * A count stops at `ceiling`, as long as it does not reach 256; with 2 million rows the chance of ever reaching 127 is
 * below 10^-200.
 */
// @ts-ignore: decorator
@inline
export function drawCounts(counts: usize, count: u32, seed: u32, ceiling: u32): void {
  memory.fill(counts, 0, count)
  const start = splitMix(seed, 0)
  const stride = splitMix(seed, 1) | 1
  // A zero that the compiler does not know: with constant factors it would build their vectors anew in every step of
  // the loop.
  const nothing = count >> 31
  const first = i32x4.splat(0x85ebca6b ^ nothing)
  const second = i32x4.splat(0xc2b2ae35 ^ nothing)
  const bound = i32x4.splat(count)
  const step = i32x4.splat(4 * stride)
  let values = i32x4.add(i32x4.splat(start), i32x4.mul(i32x4.splat(stride), i32x4(0, 1, 2, 3)))
  let i: u32 = 0
  for (; i + 4 <= count; i += 4) {
    const four = scaledFour(scrambleFour(values, first, second), bound)
    values = i32x4.add(values, step)
    countTwo(counts, i64x2.extract_lane(four, 0))
    countTwo(counts, i64x2.extract_lane(four, 1))
  }
  for (; i < count; i++) countOne(counts, scaled(scramble(start + i * stride), count))
  limitCounts(counts, counts + count, ceiling)
}

function limitCounts(from: usize, end: usize, ceiling: u32): void {
  let at = from
  for (const limit = i8x16.splat(<i8>ceiling); at + 16 <= end; at += 16) {
    v128.store(at, i8x16.min_u(v128.load(at), limit))
  }
  for (; at < end; at++) store<u8>(at, <u8>min<u32>(<u32>load<u8>(at), ceiling))
}
