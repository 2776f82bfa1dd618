import type { RobustnessCheck } from '@tradewright/contract/robustness'
import { expect, it } from 'vitest'
import { absentOf, formatReturn, formatValue, reasonsOf } from './words.ts'

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
    check('c', { not_available: 'fixed percents give no signals' }),
    check('d', judged('unknown', 'It could not be computed because there is no Sharpe ratio to compare.')),
    check('e', {}),
  ]
  expect(reasonsOf(checks).map(({ key }) => key)).toEqual(['b', 'a'])
  expect(absentOf(checks)).toEqual([
    { label: 'c', reason: 'fixed percents give no signals' },
    { label: 'd', reason: 'there is no Sharpe ratio to compare' },
  ])
})

it('writes values by their unit', () => {
  expect([formatValue(0.123, 'percent'), formatValue(null, 'ratio')]).toEqual(['12.3%', 'n/a'])
  expect(formatReturn(0.05, 'percent')).toBe('+5.0%')
})
