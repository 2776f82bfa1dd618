import { expect, it } from 'vitest'
import { askedSection, queryTo } from './result-sections.ts'

it('keeps the section in the address beside what is there, and the first one without a word', () => {
  const before = new URLSearchParams('backtest_id=7')
  expect(queryTo(before, 'risk').toString()).toBe('backtest_id=7&section=risk')
  expect(queryTo(queryTo(before, 'risk'), 'overview').toString()).toBe('backtest_id=7')
})

it('knows the sections of a result and no other', () => {
  expect(askedSection(new URLSearchParams('section=periods'))).toBe('periods')
  expect(askedSection(new URLSearchParams('section=elsewhere'))).toBeUndefined()
})
