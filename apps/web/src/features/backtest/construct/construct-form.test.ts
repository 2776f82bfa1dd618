import { ConstructionRequest } from '@tradewright/contract/construction'
import { describe, expect, it } from 'vitest'
import { newForm } from '../form/form.ts'
import {
  checkedConstructForm,
  constructible,
  newConstructForm,
  problemOf,
  tickersOf,
  toAllocation,
  toConstructRequest,
} from './construct-form.ts'

const backtest = {
  ...newForm('2024-06-03'),
  allocations: [
    { key: 0, ticker: 'spy', allocation: 60 },
    { key: 1, ticker: 'TLT', leverage: 2, allocation: 40 },
    { key: 2, ticker: ' ', allocation: '' as const },
  ],
}

describe('the request of a construction', () => {
  it('has the tickers and percentages of the allocation, and is one that the contract takes', () => {
    const body = toConstructRequest({ ...newConstructForm(), methods: ['min_cvar'], turnover: '20' }, backtest)
    expect(ConstructionRequest.strict().parse(body)).toMatchObject({ turnover_pct: 20, max_pct: 100 })
    expect(body.backtest['ticker[]']).toEqual(['SPY', 'TLT?L=2'])
    expect(body.backtest['allocation[]']).toEqual(['60', '40'])
    expect(body.methods).toEqual([{ id: 'min_cvar', parameters: { confidence_pct: 95 } }])
  })

  it('sends views only where they count', () => {
    const view = { key: 0, ticker: 'SPY', against: '', expected: '7', confidence: '60', since: '' }
    const form = { ...newConstructForm(), views: [view] }
    expect(toConstructRequest(form, backtest).views).toEqual([])
    expect(toConstructRequest({ ...form, methods: ['black_litterman'] }, backtest).views).toEqual([
      { ticker: 'SPY', expected_pct: 7, confidence_pct: 60 },
    ])
  })

  it('is not sent while something is missing', () => {
    expect(tickersOf(backtest)).toEqual(['SPY', 'TLT?L=2'])
    expect(problemOf(newConstructForm(), backtest)).toBeNull()
    expect(problemOf(newConstructForm(), { ...backtest, allocations: [] })).toMatch(/at least two tickers/)
    expect(problemOf({ ...newConstructForm(), methods: [] }, backtest)).toMatch(/at least one method/)
  })
})

it('a result of any kind can be constructed from: its tickers, without percentages where it had none', () => {
  const sources = ['SPY', 'TLT'].map((ticker) => ({
    ticker,
    used_for: 'traded' as const,
    providers: [],
    synthetic: false,
  }))
  const result = { series_sources: [...sources, { ...sources[0]!, ticker: 'GLD', used_for: 'feature' as const }] }
  const learned = constructible({ ...backtest, strategyType: 'ML' }, result)
  expect(tickersOf(learned)).toEqual(['SPY', 'TLT'])
  expect(toConstructRequest(newConstructForm(), learned).backtest['allocation[]']).toEqual(['', ''])
  expect(tickersOf(constructible(backtest, result))).toEqual(['SPY', 'TLT?L=2'])
})

describe('current weights as an allocation', () => {
  it('add up to 100 percent after rounding', () => {
    const rows = toAllocation(['A', 'B', 'C', 'D'], { current: [1 / 3, 1 / 3, 1 / 3, 0] })
    expect(rows.map(({ ticker, allocation }) => [ticker, allocation])).toEqual([
      ['A', 33.34],
      ['B', 33.33],
      ['C', 33.33],
    ])
  })
})

describe('a construction that was left', () => {
  const left = {
    ...newConstructForm(),
    bounds: [{ ticker: 'SPY', min: '10', max: '60' }],
    groups: [{ key: 1, name: 'Bonds', tickers: ['TLT'], min: '', max: '40' }],
  }

  it('is taken up as it was', () => {
    expect(checkedConstructForm(JSON.parse(JSON.stringify(left)))).toEqual(left)
  })

  it.each([undefined, { ...left, methods: ['a method of another version'] }, { ...left, groups: [{}] }])(
    'is not taken up where another version wrote it: %j',
    (draft) => {
      expect(checkedConstructForm(draft)).toBeNull()
    },
  )
})
