import { describe, expect, it } from 'vitest'
import { minimumVarianceWeights, riskParityWeights, varianceOf } from './risk-weights.ts'

const matrix = (rows: number[][]) => rows.map((row) => Float64Array.from(row))

/** Four assets with volatilities 10, 20, 30 and 40% and these correlations. */
const VOLATILITIES = [0.1, 0.2, 0.3, 0.4]
const CORRELATIONS = [
  [1, 0.8, 0, 0],
  [0.8, 1, 0, 0],
  [0, 0, 1, -0.5],
  [0, 0, -0.5, 1],
]
const COVARIANCE = matrix(CORRELATIONS.map((row, a) => row.map((one, b) => one * VOLATILITIES[a]! * VOLATILITIES[b]!)))

describe('risk parity', () => {
  it('has the weights that Maillard, Roncalli and Teiletche print for their example of four assets', () => {
    const weights = riskParityWeights(COVARIANCE)
    expect(weights.map((weight) => Math.round(weight * 1000) / 10)).toEqual([38.4, 19.2, 24.3, 18.2])
  })

  it('gives every member the same contribution', () => {
    const weights = riskParityWeights(COVARIANCE)
    const contributions = COVARIANCE.map(
      (row, i) => weights[i]! * row.reduce((sum, one, k) => sum + one * weights[k]!, 0),
    )
    for (const one of contributions) expect(one / contributions[0]!).toBeCloseTo(1, 9)
  })
})

describe('minimum variance', () => {
  it('leaves out what would be sold short, and no small change of the weights has less variance', () => {
    const weights = minimumVarianceWeights(COVARIANCE)
    expect(weights[1]).toBe(0)
    expect(weights.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12)
    const least = varianceOf(weights, COVARIANCE)
    weights.forEach((from, a) =>
      weights.forEach((to, b) => {
        if (a === b || from < 1e-6) return
        const moved = weights.map((one, i) => (i === a ? one - 1e-4 : i === b ? to + 1e-4 : one))
        expect(varianceOf(moved, COVARIANCE)).toBeGreaterThan(least)
      }),
    )
  })

  it('ends where two members move as one', () => {
    const weights = minimumVarianceWeights(
      matrix([
        [4, 4, 1],
        [4, 4, 1],
        [1, 1, 9],
      ]),
    )
    expect(weights.every((one) => one >= 0)).toBe(true)
    expect(weights[0]! + weights[1]!).toBeCloseTo(8 / 11, 6)
    expect(
      riskParityWeights(
        matrix([
          [4, 4],
          [4, 4],
        ]),
      )[0],
    ).toBeCloseTo(0.5, 9)
  })
})
