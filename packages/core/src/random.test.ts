import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveSeed, Random } from './random.ts'

describe('Random', () => {
  it('gives the same numbers for the same seed on every machine', () => {
    const random = new Random(42)
    expect([random.uint32(), random.uint32(), random.uint32()]).toMatchInlineSnapshot(`
      [
        2837322924,
        544945897,
        479756282,
      ]
    `)
  })

  it('stays inside its bound', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 0x100000000 }), (seed, bound) => {
        const value = new Random(seed).below(bound)
        expect(Number.isInteger(value) && value >= 0 && value < bound).toBe(true)
      }),
    )
  })

  it('spreads evenly over ten boxes', () => {
    const random = new Random(7)
    const boxes = Array.from({ length: 10 }, () => 0)
    for (let i = 0; i < 100_000; i++) boxes[Math.floor(random.float() * 10)]! += 1
    // Chi-square with 9 degrees of freedom: 27.9 is the 99.9 % point.
    const chiSquare = boxes.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chiSquare).toBeLessThan(27.9)
  })

  it('refuses a bound of zero', () => {
    expect(() => new Random(1).below(0)).toThrow(RangeError)
  })
})

describe('deriveSeed', () => {
  it('gives neighbours different seeds', () => {
    const seeds = new Set<number>()
    for (let generation = 0; generation < 100; generation++) {
      for (let individual = 0; individual < 100; individual++) seeds.add(deriveSeed(1, generation, individual))
    }
    expect(seeds.size).toBeGreaterThan(9_990)
  })

  it('depends on the order of its path', () => {
    expect(deriveSeed(1, 2, 3)).not.toBe(deriveSeed(1, 3, 2))
  })
})
