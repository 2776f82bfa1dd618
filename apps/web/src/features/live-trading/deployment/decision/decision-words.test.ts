import type { Decision } from '@tradewright/contract/live-trading-decision'
import { expect, it } from 'vitest'
import { influenceBars, inUnit, rulesText, signalText } from './decision-words.ts'

it('says what was decided and how sure it was', () => {
  expect(signalText({ signal_type: 'Buy', probability: 0.612 } as Decision)).toBe('Buy, 61.2% probable')
  expect(signalText({ signal_type: 'Allocation', probability: null } as Decision)).toBe('Allocation')
})

it('writes contributions in the unit of the model', () => {
  expect(inUnit(0.052, 'probability', 'always')).toBe('+5.2 pp')
  expect(inUnit(0.5, 'probability')).toBe('50.0%')
  expect(inUnit(-0.25, 'log-odds', 'always')).toBe('−0.250')
  expect(inUnit(null, null)).toBe('N/A')
})

it('puts first what moved the prediction most', () => {
  const influence = (feature: string, contribution: number) => ({ feature, value: 1, contribution })
  const bars = influenceBars([influence('a', 0.01), influence('b', -0.04), influence('c', 0)])
  expect(bars.map(({ feature, width, isPositive }) => [feature, width, isPositive])).toEqual([
    ['b', 100, false],
    ['a', 25, true],
    ['c', 0, true],
  ])
  expect(influenceBars([influence('a', 0)])[0]?.width).toBe(0)
})

it('says which blocks of rules decided, what they picked and which latches are on', () => {
  const rules = {
    reading: '',
    checked_bar: '2026-11-13T21:00:00Z',
    trade_bar: null,
    way: [{ block: 'trend', branch: 'yes' as const }],
    chosen: [{ block: 'strongest-two', tickers: ['EFA', 'GLD'] }],
    latches: [
      { block: 'above-average', ticker: null, on: true },
      { block: 'rising', ticker: 'EFA', on: null },
    ],
    rebalanced: [],
    streaks: [],
    held: [],
  }
  expect(rulesText(rules, true)).toBe(
    'Checked 13 Nov 2026. Trend: then. Strongest two holds EFA, GLD. Latches: Above average on, Rising of EFA unknown.',
  )
  expect(rulesText({ ...rules, checked_bar: null }, true)).toBe('The rules have not been checked yet.')
})
