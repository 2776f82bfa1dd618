import type { GenerationEntry } from '@tradewright/contract/optimization-run'
import { expect, it } from 'vitest'
import { evolutionOf, labelledGenerations, roundValues, sideOf } from './generations.tsx'

const entry = (generation: number, best_fitness: number, avg_fitness: number): GenerationEntry => ({
  generation,
  best_fitness,
  avg_fitness,
  best_features_count: 3,
  diversity: 0.5,
  population_details: [],
  population_size: 10,
  new_evaluations: 10,
})

it('has a point per generation, on an axis that ends where the run will [OPT-035]', () => {
  const { best, average, xOf } = evolutionOf([entry(1, 0.5, 0.4), entry(2, 0.6, 0.5)], 5)
  expect(best.map(({ x }) => x)).toEqual([0, 25])
  expect(best[0]?.y).toBeCloseTo(average[1]?.y ?? 0)
  expect(best[1]?.y).toBeLessThan(best[0]?.y ?? 0)
  expect(xOf(5)).toBe(100)
})

it('draws a flat history too', () => {
  const { best, ticks } = evolutionOf([entry(1, 0, 0)], 1)
  expect(best).toEqual([{ x: 0, y: 50 }])
  expect(ticks.every(({ y }) => Number.isFinite(y))).toBe(true)
})

it('labels the axis with round values inside the range', () => {
  expect(roundValues(0.512, 0.588)).toEqual([0.52, 0.54, 0.56, 0.58])
  expect(roundValues(-0.31, 0.42)).toEqual([-0.2, 0, 0.2, 0.4])
  expect(roundValues(0.482, 0.588)).toEqual([0.5, 0.525, 0.55, 0.575])
})

it('labels few generations one by one and many here and there', () => {
  expect(labelledGenerations(3)).toEqual([1, 2, 3])
  expect(labelledGenerations(20)).toEqual([1, 4, 8, 12, 16, 20])
})

it('keeps the word of the best generation off the axis, also when it is the last one', () => {
  const { xOf } = evolutionOf([entry(1, 0.5, 0.4), entry(20, 0.6, 0.5)], 20)
  expect([sideOf(xOf(20)), sideOf(xOf(1)), sideOf(xOf(15))]).toEqual(['left', 'right', 'right'])
})
