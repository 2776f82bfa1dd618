import { describe, expect, it } from 'vitest'
import { areaPath, linePath } from './line-path.ts'
import { figuresOf, sampleResult } from './sample-result.ts'

describe('the sample result', () => {
  it('is the same on every visit', () => {
    expect(sampleResult()).toEqual(sampleResult())
  })

  it('draws both lines from the same start over five years of trading days', () => {
    const { strategy, reference } = sampleResult()
    expect(strategy).toHaveLength(5 * 252)
    expect(reference).toHaveLength(5 * 252)
    expect([strategy[0], reference[0]]).toEqual([10_000, 10_000])
  })

  it('shows the figures of the very line that is drawn', () => {
    const { strategy, cagr, sharpe, maxDrawdown } = sampleResult()
    expect({ cagr, sharpe, maxDrawdown }).toEqual(figuresOf(strategy))
    expect(Number.isFinite(cagr) && Number.isFinite(sharpe)).toBe(true)
  })
})

describe('figuresOf', () => {
  it('computes growth a year, drawdown from the peak and Sharpe', () => {
    const doubledInAYear = Array.from({ length: 253 }, (_, day) => 100 * 2 ** (day / 252))
    expect(figuresOf(doubledInAYear).cagr).toBeCloseTo(1)
    expect(figuresOf([100, 120, 90, 130]).maxDrawdown).toBeCloseTo(-0.25)
    // Returns +10 % and -10 %: mean 0.
    expect(figuresOf([100, 110, 99]).sharpe).toBeCloseTo(0)
    // Returns 0, 10 %: mean 5 %, sample deviation 7.07 %.
    expect(figuresOf([100, 100, 110]).sharpe).toBeCloseTo((0.05 / Math.SQRT1_2 / 0.1) * Math.sqrt(252))
  })

  it('has no Sharpe where nothing moved', () => {
    expect(figuresOf([100, 100, 100])).toEqual({ cagr: 0, sharpe: null, maxDrawdown: 0 })
  })
})

describe('linePath', () => {
  const box = { width: 100, height: 50, min: 0, max: 10 }

  it('spreads the values over the box, the highest on top', () => {
    expect(linePath([0, 10, 5], box)).toBe('M0.0 50.0L50.0 0.0L100.0 25.0')
    expect(areaPath([0, 10], box)).toBe('M0.0 50.0L100.0 0.0L100 50L0 50Z')
  })
})
