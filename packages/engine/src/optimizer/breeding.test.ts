import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Breeder, firstGeneration, nextGeneration } from './search.ts'
import { diversityOf, individualOf, keyOf } from './request.ts'

const breeder = (more: Partial<Breeder> = {}): Breeder => ({
  seed: 1,
  populationSize: 20,
  maxFeatures: 5,
  mutationRate: 0.1,
  candidates: [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
  ],
  families: Array.from({ length: 18 }, (_, gene) => Math.floor(gene / 3)),
  seeds: [],
  ...more,
})

const anyBreeder = fc
  .record({
    seed: fc.integer(),
    populationSize: fc.integer({ min: 2, max: 40 }),
    maxFeatures: fc.integer({ min: 1, max: 15 }),
    mutationRate: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(breeder)

describe('breeding', () => {
  it('gives individuals that their target allows, never empty and never too large', () => {
    fc.assert(
      fc.property(anyBreeder, (rules) => {
        const first = firstGeneration(rules)
        for (const population of [first, nextGeneration(rules, 2, first)]) {
          expect(population).toHaveLength(rules.populationSize)
          for (const { target, genes } of population) {
            expect(genes.length).toBeGreaterThan(0)
            expect(genes.length).toBeLessThanOrEqual(rules.maxFeatures)
            expect(genes.every((gene) => rules.candidates[target]!.includes(gene))).toBe(true)
            expect([...new Set(genes)].sort((a, b) => a - b)).toEqual(genes)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('draws everything from the seed: the same gives the same, another gives another', () => {
    const first = firstGeneration(breeder())
    expect(firstGeneration(breeder())).toEqual(first)
    expect(firstGeneration(breeder({ seed: 2 }))).not.toEqual(first)
    expect(nextGeneration(breeder(), 2, first)).toEqual(nextGeneration(breeder(), 2, first))
    expect(nextGeneration(breeder(), 3, first)).not.toEqual(nextGeneration(breeder(), 2, first))
  })

  it('keeps the best as it is', () => {
    const ranked = firstGeneration(breeder())
    expect(nextGeneration(breeder({ mutationRate: 1 }), 2, ranked)[0]).toEqual(ranked[0])
  })

  it('begins with the seeds of the user', () => {
    const seed = individualOf(1, [6, 7])
    expect(firstGeneration(breeder({ seeds: [seed] }))[0]).toEqual(seed)
  })

  it('lets features of the better half survive more often', () => {
    const genesOf = (place: number) => Array.from({ length: 5 }, (_, i) => 5 * place + i)
    const ranked = Array.from({ length: 40 }, (_, place) => individualOf(0, genesOf(place)))
    const rules = breeder({ mutationRate: 0, populationSize: 100, candidates: [ranked.flatMap(({ genes }) => genes)] })
    const genes = nextGeneration(rules, 2, ranked)
      .slice(5)
      .flatMap((child) => child.genes)
    expect(genes.filter((gene) => gene < 100).length / genes.length).toBeGreaterThan(0.75)
  })

  it('seldom gives the same child twice while there are others to be had', () => {
    const ranked = Array.from({ length: 20 }, () => individualOf(0, [1, 2, 3]))
    const children = nextGeneration(breeder({ mutationRate: 0 }), 2, ranked)
    expect(new Set(children.map(keyOf)).size).toBeGreaterThan(15)
  })

  it('does not hang where there is only one individual to be had', () => {
    const lonely = breeder({ candidates: [[3]], maxFeatures: 4 })
    expect(new Set(nextGeneration(lonely, 2, firstGeneration(lonely)).map(keyOf))).toEqual(new Set(['0:3']))
  })
})

describe('diversity', () => {
  it('is 0 for equals, 1 for strangers, and the share of what differs in between', () => {
    const [a, b] = [individualOf(0, [1, 2]), individualOf(0, [2, 3])]
    expect(diversityOf([a, a])).toBe(0)
    expect(diversityOf([a, individualOf(1, [1, 2])])).toBe(1)
    expect(diversityOf([a, b])).toBeCloseTo(2 / 3)
    expect(diversityOf([a])).toBe(0)
  })
})
