import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitnessModes, fitnessOf, type FitnessRules } from './score.ts'

const rules = (more: Partial<FitnessRules> = {}): FitnessRules => ({
  metric: 'accuracy',
  mode: 'mean_only',
  variancePenalty: 0.5,
  varianceExponent: 1,
  ...more,
})

describe('fitness modes [OPT-136]', () => {
  const windows = [0.5, 0.6, 0.7]

  it('mean_only is the mean of the windows', () => {
    expect(fitnessOf(windows, rules())).toBeCloseTo(0.6)
  })

  it('mean_minus_variance takes penalty × deviation^exponent away [OPT-137]', () => {
    expect(fitnessOf(windows, rules({ mode: 'mean_minus_variance' }))).toBeCloseTo(0.6 - 0.5 * 0.1)
    const squared = rules({ mode: 'mean_minus_variance', variancePenalty: 1, varianceExponent: 2 })
    expect(fitnessOf(windows, squared)).toBeCloseTo(0.6 - 0.01)
  })

  it('consistency_ratio divides by the deviation, which counts as at least 0.001', () => {
    expect(fitnessOf(windows, rules({ mode: 'consistency_ratio' }))).toBeCloseTo(6)
    expect(fitnessOf([0.6, 0.6], rules({ mode: 'consistency_ratio' }))).toBeCloseTo(600)
    expect(fitnessOf([0.6], rules({ mode: 'consistency_ratio' }))).toBeCloseTo(600)
  })

  it('is always a number, and nothing is worth nothing', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 30 })
    fc.assert(
      fc.property(values, fc.constantFrom(...fitnessModes), (windowValues, mode) => {
        expect(Number.isFinite(fitnessOf(windowValues, rules({ mode, varianceExponent: 5 })))).toBe(true)
      }),
    )
    expect(fitnessOf([], rules())).toBe(0)
  })

  it('prefers the steadier of two with the same mean, unless only the mean counts', () => {
    const [steady, wild] = [
      [0.55, 0.55, 0.55],
      [0.35, 0.55, 0.75],
    ]
    for (const mode of ['mean_minus_variance', 'consistency_ratio'] as const) {
      expect(fitnessOf(steady, rules({ mode }))).toBeGreaterThan(fitnessOf(wild, rules({ mode })))
    }
    expect(fitnessOf(steady, rules())).toBeCloseTo(fitnessOf(wild, rules()))
  })
})
