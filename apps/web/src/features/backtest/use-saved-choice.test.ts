import { expect, it } from 'vitest'
import { queryOf } from './use-saved-choice.ts'

it('changes the choice and nothing else of the address', () => {
  expect(queryOf('?tab=config', { strategyId: '', backtestId: '7' })).toBe('tab=config&backtest_id=7')
  expect(queryOf('?strategy_id=1&backtest_id=7&tab=config', { strategyId: '', backtestId: '' })).toBe('tab=config')
})

it('keeps the walk-forward window of the same result only', () => {
  expect(queryOf('?backtest_id=7&window=3', { strategyId: '2', backtestId: '7' })).toContain('window=3')
  expect(queryOf('?backtest_id=7&window=3', { strategyId: '', backtestId: '8' })).not.toContain('window')
})
