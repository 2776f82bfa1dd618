import { expect, it } from 'vitest'
import { queryOf } from './use-saved-choice.ts'

it('changes the choice and nothing else of the address', () => {
  expect(queryOf('?tab=config', { strategyId: '', backtestId: '7' })).toBe('tab=config&backtest_id=7')
  expect(queryOf('?strategy_id=1&backtest_id=7&tab=config', { strategyId: '', backtestId: '' })).toBe('tab=config')
})

it('leaves the portfolios side by side, unless the result is one of them', () => {
  const before = '?portfolios=1,2&benchmark=3'
  expect(queryOf(before, { strategyId: '', backtestId: '7' })).toBe('backtest_id=7')
  expect(queryOf(before, { strategyId: '', backtestId: '2' }, { isOfPortfolios: true })).toContain('benchmark=3')
})

it('keeps the walk-forward window of the same result only', () => {
  expect(queryOf('?backtest_id=7&window=3', { strategyId: '2', backtestId: '7' })).toContain('window=3')
  expect(queryOf('?backtest_id=7&window=3', { strategyId: '', backtestId: '8' })).not.toContain('window')
})
