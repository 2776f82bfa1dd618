import { expect, it } from 'vitest'
import { notAvailable, valueOf } from '../performance/figure.ts'
import { curveMetrics } from './metrics.ts'

const metricsOf = (...growth: number[]) => {
  const days = Int32Array.from(growth.keys())
  const yardsticks = { barsPerYear: 252, riskFree: undefined }
  return curveMetrics(days, Float64Array.from(growth), yardsticks)
}
const ulcerIndex = (...growth: number[]) => valueOf(metricsOf(...growth).ulcerIndex)
const painIndex = (...growth: number[]) => valueOf(metricsOf(...growth).painIndex)

it('has the Ulcer index that falls of 10 % and 20 % in six bars have by hand', () => {
  // √((0.1² + 0.2²) / 6)
  expect(ulcerIndex(1, 1.1, 0.99, 0.88, 1.1, 1.21)).toBeCloseTo(0.0912870929, 9)
})

it('has an Ulcer index of zero where the value never fell', () => {
  expect(ulcerIndex(1, 1, 1.2)).toBe(0)
})

it('counts a loss against the first dollar in the Ulcer index', () => {
  expect(ulcerIndex(0.9, 0.9)).toBeCloseTo(0.1, 12)
})

it('has the Pain index that falls of 10 % and 20 % in six bars have by hand', () => {
  // (0.1 + 0.2) / 6
  expect(painIndex(1, 1.1, 0.99, 0.88, 1.1, 1.21)).toBeCloseTo(0.05, 12)
})

it('has a Pain index of zero, without a sign, where the value never fell', () => {
  expect(painIndex(1, 1, 1.2)).toBe(0)
})

it('counts a loss against the first dollar in the Pain index', () => {
  expect(painIndex(0.9, 0.9)).toBeCloseTo(0.1, 12)
})

it('has no Pain index without bars, and says so', () => {
  expect(metricsOf().painIndex).toEqual(notAvailable('the period has no bars'))
})
