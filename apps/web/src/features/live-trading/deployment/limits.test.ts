import { expect, it } from 'vitest'
import { limitProblem, limitValue } from './limits.ts'

it('a limit is a percent above 0, and empty is none', () => {
  expect([limitValue(''), limitValue(' 2.5 ')]).toEqual([null, 2.5])
  expect([limitProblem(''), limitProblem('2.5'), limitProblem('100')]).toEqual([null, null, null])
  for (const typed of ['0', '101', '-1', 'x']) expect(limitProblem(typed)).toMatch(/^Please enter a percent/)
})
