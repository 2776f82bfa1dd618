import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import {
  deflatedSharpe,
  expectedMaximum,
  luckySharpe,
  probabilisticSharpe,
  trackRecordOf,
} from './risk-adjusted-return.ts'
import { notAvailable, valueOf } from './figure.ts'
import { normalCdf, normalQuantile } from './statistics.ts'
import { blockSums, overfittingOfBlocks } from './overfitting-probability.ts'
import { testDirections } from './forecast-skill.ts'

const plain = { skewness: 0, kurtosis: 3 }

const noise = (seed: number, drift: number) => {
  const random = new Random(seed)
  return Float64Array.from({ length: 480 }, () => drift + random.float() + random.float() - 1)
}

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1.959963984540054, 0.025],
    [-8, 6.220960574271785e-16],
    [4, 0.9999683287581669],
  ])('has the right share below %d', (x, share) => {
    expect(Math.abs(normalCdf(x) - share)).toBeLessThan(1e-15)
  })

  it('is undone by its quantile', () => {
    for (const x of [-5, -1, 0, 0.3, 2.5]) expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 9)
  })
})

describe('probabilisticSharpe', () => {
  it("gives the papers' examples", () => {
    const hedgeFund = { sharpePerPeriod: 1.585 / Math.sqrt(12), periods: 24, skewness: -2.448, kurtosis: 10.164 }
    expect(probabilisticSharpe(hedgeFund)).toBeCloseTo(0.91323430688486018, 10)
    expect(probabilisticSharpe({ sharpePerPeriod: 1.14, periods: 250, ...plain }, 1)).toBeCloseTo(0.95727, 4)
  })

  it('reads a record from returns', () => {
    expect(trackRecordOf([0.01, 0.01, 0.01])).toBeUndefined()
    expect(trackRecordOf([0.03, -0.01])?.sharpePerPeriod).toBeCloseTo(0.01 / Math.sqrt(0.0008), 12)
  })
})

describe('deflatedSharpe', () => {
  it("gives the papers' examples", () => {
    expect(expectedMaximum(100)).toBeCloseTo(2.5306028932016846, 10)
    const record = { sharpePerPeriod: 2.5 / Math.sqrt(250), periods: 1250, skewness: -3, kurtosis: 10 }
    const trials = { count: 100, sharpeDeviation: Math.sqrt(0.5 / 250) }
    expect(deflatedSharpe(record, trials)).toBeCloseTo(0.90039683444939034, 10)
    expect(luckySharpe(trials) * Math.sqrt(250)).toBeCloseTo(1.7894, 4)
  })

  it("gives mlfinlab's figures", () => {
    const record = { sharpePerPeriod: 1.14, periods: 250, ...plain }
    expect(luckySharpe({ count: 100, sharpeDeviation: 0.4 })).toBeCloseTo(1.012241, 6)
    expect(deflatedSharpe(record, { count: 100, sharpeDeviation: 0.4 })).toBeCloseTo(0.94174, 5)
  })

  it('asks no more of a single trial than to beat zero', () => {
    const record = { sharpePerPeriod: 0.1, periods: 100, ...plain }
    expect(deflatedSharpe(record, { count: 1, sharpeDeviation: 0 })).toBe(probabilisticSharpe(record))
  })
})

const overfitting = (trials: readonly Float64Array[]) =>
  overfittingOfBlocks(trials.map((returns) => blockSums(returns, 10)!))

describe('overfittingOfBlocks', () => {
  it('is near one half for pure noise', () => {
    const runs = Array.from({ length: 8 }, (_, run) =>
      valueOf(overfitting(Array.from({ length: 20 }, (_, i) => noise(run * 100 + i, 0)))),
    )
    const average = runs.reduce((sum, share) => sum + share, 0) / runs.length
    expect(average).toBeGreaterThan(0.35)
    expect(average).toBeLessThan(0.65)
  })

  it('is near zero when one trial really is better', () => {
    const trials = [noise(1, 0.3), ...Array.from({ length: 19 }, (_, i) => noise(i + 2, 0))]
    expect(overfitting(trials)).toBeLessThan(0.01)
  })

  it('says what it needs', () => {
    expect(overfitting([noise(1, 0)])).toEqual(notAvailable('it compares at least two trials'))
    expect(blockSums(new Float64Array(31), 16)).toBeUndefined()
  })
})

describe('testDirections', () => {
  it('gives the worked example', () => {
    const outcomes = [23, -2, 56, 51, 4, -45, -12, -24, -51, 78, -6, -7, -39, 31, 35]
    const forecasts = [14, 3, 45, 23, -5, -56, 4, -11, -34, 29, 3, -11, -12, 24, 3]
    const test = testDirections(outcomes, forecasts)!
    expect(test.accuracy).toBeCloseTo(0.73333, 5)
    expect(test.expectedAccuracy).toBeCloseTo(0.49333, 5)
    expect(test.statistic).toBeCloseTo(1.96834, 5)
    expect(test.pValue).toBeCloseTo(0.0245, 4)
    expect(test.baseRate).toBeCloseTo(8 / 15, 12)
  })

  it('cannot judge a forecast that never changes', () => {
    expect(testDirections([1, -1, 1], [1, 1, 1])?.statistic).toEqual(notAvailable('the forecast is always the same'))
    expect(testDirections([], [])).toBeUndefined()
  })
})
