import { expect, it } from 'vitest'
import { isLike } from './is-like.ts'

const template = { name: '', size: 1, isOn: true, rows: [{ ticker: '', pct: 0 }] }

it('takes what has the same keys and kinds of values', () => {
  expect(isLike(template, { name: 'x', size: '', isOn: false, rows: [], more: null })).toBe(true)
  expect(isLike(template, { name: 'x', size: 2, isOn: false, rows: [{ ticker: 'SPY', pct: '60' }] })).toBe(true)
})

it.each([
  null,
  'text',
  [],
  {},
  { name: 'x', size: 2, isOn: 'yes', rows: [] },
  { name: 'x', size: null, isOn: true, rows: [] },
  { name: 'x', size: 2, isOn: true, rows: [{ ticker: 'SPY' }] },
  { name: 'x', size: 2, isOn: true, rows: {} },
])('refuses what an earlier version or a hand may have left: %j', (value) => {
  expect(isLike(template, value)).toBe(false)
})
