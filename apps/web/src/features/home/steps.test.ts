import { expect, it } from 'vitest'
import { nextStepOf } from './queries.ts'

it('suggests the first step that is not done, whatever came before it', () => {
  expect(nextStepOf([])).toBe('backtest')
  expect(nextStepOf(['account', 'backtest'])).toBe('strategy')
  expect(nextStepOf(['backtest', 'strategy', 'data', 'account', 'deployment'])).toBeNull()
})
