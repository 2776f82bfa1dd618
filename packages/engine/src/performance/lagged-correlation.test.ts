import fc from 'fast-check'
import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { adjustPValues, correlationPValue, twoSidedPValue } from './statistics.ts'
import { laggedCorrelation } from './regression.ts'

describe("Student's t", () => {
  // Table values, as every textbook has them.
  it.each([
    [12.706, 1, 0.05],
    [2.228, 10, 0.05],
    [3.169, 10, 0.01],
    [1.984, 100, 0.05],
    [0, 5, 1],
    [1.96, 1_000_000, 0.05],
  ])('t = %f with %i degrees of freedom has p = %f', (statistic, df, p) => {
    expect(twoSidedPValue(statistic, df)).toBeCloseTo(p, 4)
    expect(twoSidedPValue(-statistic, df)).toBe(twoSidedPValue(statistic, df))
  })

  it('is exact where it is Cauchy, and where it has two degrees of freedom', () => {
    for (const t of [0.1, 1, 3, 40]) {
      expect(twoSidedPValue(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12)
      expect(twoSidedPValue(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12)
    }
  })

  it('knows when a correlation is none', () => {
    expect(correlationPValue(0, 50)).toBe(1)
    expect(correlationPValue(1, 50)).toBe(0)
    expect(correlationPValue(0.9, 2)).toBe(1)
    // r = 0.361 is the 5 % mark of 30 pairs.
    expect(correlationPValue(0.361, 30)).toBeCloseTo(0.05, 3)
  })
})

describe('Benjamini and Hochberg', () => {
  it('gives the adjusted values of a worked example', () => {
    const adjusted = adjustPValues([0.01, 0.04, 0.03, 0.005])
    expect([...adjusted].map((p) => Number(p.toFixed(4)))).toEqual([0.02, 0.04, 0.04, 0.02])
  })

  it('never lowers a value, keeps the order and stays below 1', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
        const adjusted = adjustPValues(pValues)
        pValues.forEach((p, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p)
          expect(adjusted[i]).toBeLessThanOrEqual(1)
          pValues.forEach((other, k) => other < p && expect(adjusted[k]).toBeLessThanOrEqual(adjusted[i]!))
        })
      }),
    )
  })
})

describe('lagged correlation', () => {
  const random = new Random(1)
  const metric = Float64Array.from({ length: 200 }, () => random.float() - 0.5)
  const all = { from: 0, to: 200 }

  it('finds a return that follows a metric, at its lag and at no other', () => {
    const returns = metric.map((_, row) => (row < 3 ? 0 : metric[row - 3]! / 100))
    const found = laggedCorrelation(metric, returns, 3, all, 252)!
    expect(found.correlation).toBeCloseTo(1, 2)
    expect(found.pValue).toBeLessThan(1e-10)
    expect(found.pairs).toBe(197)
    expect(found.directionalAccuracy).toBeGreaterThan(0.9)
    expect(found.sharpe).toBeGreaterThan(5)
    expect(Math.abs(laggedCorrelation(metric, returns, 2, all, 252)!.correlation)).toBeLessThan(0.2)
  })

  it('turns a negative correlation into a direction, too', () => {
    const found = laggedCorrelation(
      metric,
      metric.map((x) => -x),
      0,
      all,
      252,
    )!
    expect(found.correlation).toBeCloseTo(-1)
    expect(found.directionalAccuracy).toBeGreaterThan(0.9)
  })

  it('says nothing of too little, of what does not vary, and of gaps', () => {
    expect(laggedCorrelation(metric, metric, 1, { from: 0, to: 9 }, 252)).toBeUndefined()
    expect(laggedCorrelation(new Float64Array(200), metric, 1, all, 252)).toBeUndefined()
    const gaps = metric.map((x, row) => (row % 2 === 0 ? Number.NaN : x))
    expect(laggedCorrelation(gaps, metric, 0, all, 252)!.pairs).toBe(100)
  })
})
