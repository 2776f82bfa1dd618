import { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { findLeadingIndicators } from './leading-indicators.ts'
import { planSearch } from './plan.ts'
import { prepareSearch } from './prepare.ts'
import { columnOf, columnsOf } from './search-data.ts'
import { madeUpMarket, searchRequest, TO } from './test-support/made-up-search.ts'

const request = {
  ticker: 'TGT',
  others: ['TGT', 'SIG', 'NO1', 'NO2', 'GONE'],
  from: TO - 365,
  to: TO,
  lags: [1, 2, 3, 5, 10],
}

describe('leading indicators', () => {
  it('put the series that knows tomorrow first, at its lag', () => {
    const { indicators } = findLeadingIndicators(request, madeUpMarket(1, 0.7))
    expect(indicators[0]).toMatchObject({ ticker: 'SIG', metric: 'pct_change', lag: 1 })
    expect(indicators[0]!.correlation).toBeGreaterThan(0.7)
    expect(indicators[0]!.adjustedPValue).toBeLessThan(1e-10)
    expect(indicators.every(({ ticker }) => ticker !== 'TGT')).toBe(true)
    // Three series, seven metrics, five lags.
    expect(indicators).toHaveLength(3 * 7 * 5)
  })

  it('find hits in noise, and say that they are none [LEAD-004]', () => {
    let [hits, believed, tested] = [0, 0, 0]
    for (let seed = 1; seed <= 20; seed++) {
      const { indicators } = findLeadingIndicators(request, madeUpMarket(seed, 0))
      tested += indicators.length
      hits += indicators.filter(({ pValue }) => pValue < 0.05).length
      believed += indicators.filter(({ adjustedPValue }) => adjustedPValue < 0.05).length
    }
    expect(hits / tested).toBeGreaterThan(0.02)
    expect(hits / tested).toBeLessThan(0.1)
    expect(believed).toBeLessThan(hits / 10)
  })

  it('hand each pair on as the feature that a model of the next bar can use', () => {
    const data = madeUpMarket(1, 0.7)
    const { indicators } = findLeadingIndicators(request, data)
    const { feature, lag } = indicators.find(
      ({ ticker, metric, lag: bars }) => ticker === 'SIG' && metric === 'pct_change' && bars === 2,
    )!
    expect(feature).toMatchObject({ id: 1, params: { ticker: 'SIG', window: 1, lag: lag - 1 } })
    const plan = planSearch(searchRequest({ features: [{ feature: 1, choices: { window: [1], lag: [0, 1] } }] }))
    const { searches } = prepareSearch(plan, data)
    const gene = plan.candidates.findIndex(
      ({ values }) => values.text('ticker') === 'SIG' && values.number('lag') === 0,
    )
    const column = columnOf(searches[0]!, columnsOf(searches[0]!, [gene])[0]!)
    expect(column.length).toBeGreaterThan(400)
  })

  it('do not change with what happens after the period', () => {
    const data = madeUpMarket(2, 0.3)
    const earlier = { ...request, to: TO - 60 }
    const cut = new Map(
      [...data.series].map(([ticker, table]) => [
        ticker,
        { ...table, columns: { ...table.columns, close: table.columns['close']!.slice() } },
      ]),
    )
    for (const table of cut.values()) table.columns.close.fill(1, table.timestamps.length - 30)
    expect(findLeadingIndicators(earlier, { series: cut })).toEqual(findLeadingIndicators(earlier, data))
  })

  it('refuse a period without data', () => {
    expect(() => findLeadingIndicators({ ...request, from: TO + 3650, to: TO + 3700 }, madeUpMarket(1, 0))).toThrow(
      Problem,
    )
  })
})
