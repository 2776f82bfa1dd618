import type { StrategyItem, StrategyPerformance } from '@tradewright/contract/strategies'
import { describe, expect, it } from 'vitest'
import { cagrFraction, type Filters, listed, NO_FILTERS, topPerformers, typesOf } from './listing.ts'

const strategy = (id: number, changes: Partial<StrategyItem>): StrategyItem => ({
  id,
  name: `Strategy ${id}`,
  description: null,
  strategy_type: 'ML',
  created_at: `2026-11-0${id}T00:00:00Z`,
  updated_at: `2026-11-0${id}T00:00:00Z`,
  ...changes,
})

const STRATEGIES = [
  strategy(1, { name: 'Regime switch', description: 'Volatility and yield' }),
  strategy(2, { name: 'All weather', strategy_type: 'Asset Allocation' }),
  strategy(3, { name: 'Momentum' }),
]
const ids = (filters: Partial<Filters>) => listed(STRATEGIES, { ...NO_FILTERS, ...filters }).map(({ id }) => id)

describe('the list', () => {
  it('is found by name and description, whatever the letters [STRAT-011]', () => {
    expect(ids({ search: 'MOM' })).toEqual([3])
    expect(ids({ search: ' yield ' })).toEqual([1])
    expect(ids({ search: 'nothing' })).toEqual([])
  })

  it('is narrowed to one of its types [STRAT-013]', () => {
    expect(typesOf(STRATEGIES)).toEqual(['Asset Allocation', 'ML'])
    expect(ids({ type: 'Asset Allocation' })).toEqual([2])
  })

  it('has the newest first, or as the sort says [STRAT-015, STRAT-017]', () => {
    expect(ids({})).toEqual([3, 2, 1])
    expect(ids({ sort: 'oldest' })).toEqual([1, 2, 3])
    expect(ids({ sort: 'name' })).toEqual([2, 3, 1])
    expect(ids({ sort: 'type' })).toEqual([2, 3, 1])
  })
})

describe('the top performers', () => {
  const performance = (id: number, cagr_numeric: number | string | null): StrategyPerformance => ({
    strategy_id: id,
    strategy_name: `Strategy ${id}`,
    cagr_numeric,
    sharpe: 1,
    total_return: null,
    max_drawdown: null,
    backtest_id: id,
    synthetic: false,
    spliced_tickers: [],
  })

  it('are the five highest, text read as the number in it [STRAT-005, STRAT-041]', () => {
    const all = [0.05, '21.5%', null, -0.1, 0.3, 'n/a', '−4.0%', 0.01].map((cagr, id) => performance(id, cagr))
    expect(topPerformers(all).map(({ strategy_id }) => strategy_id)).toEqual([4, 1, 0, 7, 6])
  })

  it.each([
    ['21.5%', 0.215],
    ['+1,021%', 10.21],
    ['0.12', 0.12],
    ['No data', null],
  ])('%s counts as %s', (text, fraction) => {
    expect(cagrFraction(text)).toBe(fraction)
  })
})
