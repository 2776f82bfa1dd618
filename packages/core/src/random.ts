/**
 * Our own seeded generator, so that a run repeats to the last digit on every machine.
 *
 * xoshiro128** 1.1 (Blackman and Vigna, https://prng.di.unimi.it/), its state filled by SplitMix32 from the seed.
 * Integer arithmetic only: no result depends on the CPU's floating point.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(seed: number) {
    let state = seed >>> 0
    const next = () => {
      state = (state + 0x9e3779b9) >>> 0
      let z = state
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
      return (z ^ (z >>> 16)) >>> 0
    }
    this.#a = next()
    this.#b = next()
    this.#c = next()
    this.#d = next()
  }

  /** A whole number in [0, 2^32). */
  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9) >>> 0
    const t = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= t
    this.#d = rotateLeft(this.#d, 11)
    return result
  }

  /** A number in [0, 1) with 53 random bits. */
  float(): number {
    return ((this.uint32() >>> 5) * 0x4000000 + (this.uint32() >>> 6)) / 0x20000000000000
  }

  /** A whole number in [0, bound), without the bias of a plain remainder. */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 0x100000000) {
      throw new RangeError(`bound must be a whole number from 1 to 2^32, was ${bound}`)
    }
    const limit = 0x100000000 - (0x100000000 % bound)
    let value = this.uint32()
    while (value >= limit) value = this.uint32()
    return value % bound
  }
}

/**
 * A seed of its own for each (run, generation, individual, …), so that work may be done in any order and on any
 * thread. Each part is mixed in with the MurmurHash3 finaliser.
 */
export function deriveSeed(seed: number, ...path: number[]): number {
  let hash = mix(seed >>> 0)
  for (const part of path) hash = mix((Math.imul(hash, 0x01000193) ^ (part >>> 0)) >>> 0)
  return hash
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function mix(value: number): number {
  let z = (value + 0x9e3779b9) >>> 0
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
  return (z ^ (z >>> 16)) >>> 0
}
