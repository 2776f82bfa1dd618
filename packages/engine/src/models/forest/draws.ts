/** Random draws of a forest, by their number: a draw does not depend on those before it. */

/** The `index`-th number of a seed's SplitMix32 sequence, as core's `Random` fills its state with it. */
export function splitMix(seed: number, index: number): number {
  return scramble(seed + Math.imul(index + 1, 0x9e3779b9))
}

/** MurmurHash3's finaliser. */
export function scramble(value: number): number {
  let z = value >>> 0
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return (z ^ (z >>> 16)) >>> 0
}

/** The high bits of draw x bound, which is in [0, bound); both factors are small enough for the product to be exact. */
export function scaled(draw: number, bound: number): number {
  return Math.floor((draw * bound) / 2 ** 32)
}
