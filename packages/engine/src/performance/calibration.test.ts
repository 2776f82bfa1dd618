import { expect, it } from 'vitest'
import { calibrationOf, wilson } from './forecast-skill.ts'

it('has the interval of Wilson (1927), also where nothing or everything happened', () => {
  expect(wilson(137, 240).low).toBeCloseTo(0.5075, 3)
  expect(wilson(137, 240).high).toBeCloseTo(0.6319, 3)
  expect(wilson(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.2775, 3) })
  expect(wilson(10, 10)).toEqual({ low: expect.closeTo(1 - 0.2775, 3), high: expect.closeTo(1, 12) })
})

it('puts what was said beside what happened', () => {
  const of = (probability: number, count: number, happened: number) =>
    Array.from({ length: count }, (_, i) => ({ probability, happened: i < happened }))
  const { count, bins, brier } = calibrationOf([...of(0.6, 240, 137), ...of(0.25, 4, 1), ...of(1, 1, 1)])
  expect(count).toBe(245)
  expect(bins.map(({ from, count: n, saidMean, happenedShare }) => [from, n, saidMean, happenedShare])).toEqual([
    [0.2, 4, 0.25, 0.25],
    [0.6, 240, expect.closeTo(0.6, 10), 137 / 240],
    [0.9, 1, 1, 1],
  ])
  expect(brier).toBeCloseTo((137 * 0.16 + 103 * 0.36 + 0.0625 * 3 + 0.5625) / 245, 10)
  expect(calibrationOf([])).toEqual({ count: 0, bins: [], brier: null })
})
