import type { RobustnessCheck } from '@tradewright/contract/robustness'
import { expect, it } from 'vitest'
import { absentOf, decimalsOf, formatReturn, formatValue, reasonsOf } from './words.ts'

const check = (key: string, more: Partial<RobustnessCheck>): RobustnessCheck => ({
  key,
  label: key,
  explain: '',
  judgement: null,
  not_available: null,
  summary: '',
  figures: [],
  details: null,
  ...more,
})
const judged = (verdict: 'good' | 'caution' | 'bad' | 'unknown', sentence = '') => ({
  judgement: { value: null, verdict, words: verdict, sentence },
})

it('lists the reasons worst first, and apart what does not apply', () => {
  const checks = [
    check('a', judged('good')),
    check('b', judged('bad')),
    check('c', { not_available: 'fixed percentages give no signals' }),
    check('d', judged('unknown', 'It could not be computed because there is no Sharpe ratio to compare.')),
    check('e', {}),
  ]
  expect(reasonsOf(checks).map(({ key }) => key)).toEqual(['b', 'a'])
  expect(absentOf(checks)).toEqual([
    { label: 'c', reason: 'fixed percentages give no signals' },
    { label: 'd', reason: 'there is no Sharpe ratio to compare' },
  ])
})

it('writes values by their unit', () => {
  expect([formatValue(0.123, 'percent'), formatValue(null, 'ratio')]).toEqual(['12.3%', 'n/a'])
  expect(formatReturn(0.05, 'percent')).toBe('+5.0%')
})

it('writes a return that is as good as nothing without a sign', () =>
  expect([0, 0.0004, -0.0004, -0.0006].map((value) => formatReturn(value, 'percent'))).toEqual([
    '0.0%',
    '0.0%',
    '0.0%',
    '−0.1%',
  ]))

it('tells the ticks of a narrow plot apart', () => {
  const ticks = [0.083, 0.0835, 0.084]
  const decimals = decimalsOf(ticks, 'percent')
  expect(ticks.map((tick) => formatReturn(tick, 'percent', decimals))).toEqual(['+8.30%', '+8.35%', '+8.40%'])
  expect(formatReturn(0.08347, 'percent', decimals)).toBe('+8.35%')
  expect([decimalsOf([0, 0.05, 0.1], 'percent'), decimalsOf([0.65, 0.66], 'ratio')]).toEqual([1, 2])
  expect(decimalsOf([0.6525, 0.655], 'ratio')).toBe(4)
  expect(decimalsOf([1e-9, 2e-9], 'ratio')).toBe(4)
})
