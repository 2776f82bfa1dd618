import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { planBacktest } from './plan.ts'
import { requiredSeries } from './required-series.ts'
import { allocationRequest, FROM, mlRequest, mlStrategy } from './test-support/requests.ts'

describe('planBacktest', () => {
  it.each([
    [
      { from: dateOf('2020-01-02'), to: dateOf('2019-01-02') },
      'The end date 2019-01-02 is before the start date 2020-01-02.',
    ],
    [{ startValue: 0 }, 'The starting value must be a number above 0, was 0.'],
    [{ startValue: -5 }, 'The starting value must be a number above 0, was -5.'],
    [{ startValue: Number.NaN }, 'The starting value must be a number above 0, was NaN.'],
    [{ startValue: 1e308 }, 'The starting value must be above 0 and at most 1000000000000000, was 1e+308.'],
    [{ cashflow: -1e308 }, 'The cashflow must be from -1000000000000000 to 1000000000000000, was -1e+308.'],
    [{ cashflow: Number.POSITIVE_INFINITY }, 'The cashflow must be a number, was Infinity.'],
    [{ tradingCostBps: -1 }, 'The trading cost must be from 0 to below 10000 basis points, was -1.'],
    [{ commission: -1 }, 'The commission must be 0 or more, was -1.'],
    [{ rebalanceBandPct: 0 }, 'The rebalance band must be above 0 and at most 100, was 0.'],
    [{ seed: 1.5 }, 'The seed must be a whole number, was 1.5.'],
    [{ referenceTicker: 'S P Y' }, '"S P Y" is not a ticker'],
    [{ referenceTicker: 'VOD.L' }, 'VOD.L is listed outside the United States (London).'],
  ])('refuses %j [BT-148] [BT-151]', (settings, message) => {
    expect(() => planBacktest(allocationRequest({ SPY: 100 }, settings))).toThrow(message)
  })

  it.each([
    [{ features: [] }, 'Add at least one feature: a model has nothing to learn from.'],
    [
      { features: Array.from({ length: 10_000 }, () => mlStrategy.features[0]!) },
      '10000 features are too many: at most 1000 are allowed.',
    ],
    [{ features: [{ id: 99, params: {} }] }, 'There is no feature "99".'],
    [
      { features: [{ id: 7, params: { ticker: 'SPY', window: -3 } }] },
      'RSI: window must be a whole number from 2 to 1000000, was -3.',
    ],
    [{ features: [{ id: 7, params: {} }] }, 'RSI: ticker is missing.'],
    [{ target: { id: 'x', params: {} } }, 'There is no target "x".'],
    [{ trainPct: 0 }, 'The train size must be above 0% and below 100%, was 0%.'],
    [{ trainPct: 100 }, 'The train size must be above 0% and below 100%, was 100%.'],
    [{ buy: [] }, 'The Buy allocation is empty: name at least one ticker.'],
    [
      { sell: [{ ticker: 'TLT', allocationPct: -10 }] },
      'The Sell allocation of TLT is -10%: an allocation cannot be negative without a borrow rate for short positions.',
    ],
  ])('refuses an ML strategy with %j', (strategy, message) => {
    expect(() => planBacktest(mlRequest(strategy))).toThrow(message)
  })

  it.each(['SAP.DE', '7203.T', 'vod.l?L=2'])(
    'refuses %s, whose hours would be taken for those of New York',
    (ticker) => {
      expect(() => planBacktest(allocationRequest({ SPY: 50, [ticker]: 50 }))).toThrow('outside the United States')
    },
  )

  it('trims and upper-cases the reference ticker [BT-114]', () => {
    expect(planBacktest(allocationRequest({ SPY: 100 }, { referenceTicker: ' spy?l=2 ' })).referenceTicker).toBe(
      'SPY?L=2',
    )
    expect(planBacktest(allocationRequest({ SPY: 100 }, { referenceTicker: '  ' })).referenceTicker).toBeUndefined()
  })
})

describe('requiredSeries', () => {
  it('asks for what is traded, and for features from before the start', () => {
    const required = requiredSeries(planBacktest(mlRequest({}, { referenceTicker: 'QQQ?L=2', adjustInflation: true })))
    const of = (purpose: string) => required.filter((one) => one.purpose === purpose)
    expect(of('simulation').map(({ symbol, from }) => [symbol, from])).toEqual([
      ['SPY', FROM],
      ['TLT', FROM],
    ])
    expect(of('features').map(({ symbol }) => symbol)).toEqual(['SPY', 'TLT', 'UNRATE'])
    for (const { from } of of('features')) expect(from).toBeLessThan(FROM)
    expect(of('reference').map(({ symbol }) => symbol)).toEqual(['QQQ'])
    expect(of('rates').map(({ symbol }) => symbol)).toEqual([
      'TB3MS',
      'DTB3',
      'FEDFUNDS',
      'DFF',
      'CPIAUCNS',
      'CPIAUCSL',
    ])
    expect(of('rates').every(({ isEssential }) => !isEssential)).toBe(true)
  })

  it('asks no provider for cash', () => {
    expect(
      requiredSeries(planBacktest(allocationRequest({ CASHX: 50, TBILLX: 50 }))).map(({ purpose }) => purpose),
    ).toEqual(['rates', 'rates'])
  })
})
