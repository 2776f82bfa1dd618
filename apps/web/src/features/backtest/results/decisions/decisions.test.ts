import { rulesExamples } from '@tradewright/core/rules/examples'
import { expect, it } from 'vitest'
import {
  blockNames,
  changesByDate,
  conditionStates,
  holdingsAt,
  reasonsOf,
  type RulesSection,
  segmentsOf,
  timelineRows,
  wayWords,
  weightStops,
} from './decisions.ts'

const change = { ticker: null, before: '', left: null, right: null }
const section: RulesSection = {
  tree: { ...rulesExamples.find(({ key }) => key === 'leveraged-trend')!.tree },
  reading: [],
  check_dates: ['2024-01-02', '2024-01-03', '2024-01-04'],
  trades_history: [true, false, true],
  weights: [
    { ticker: 'SPY?L=2', history: [1, 1, 0] },
    { ticker: 'TBILLX', history: [0, 0, 0.25] },
  ],
  ways: ['trend yes', 'trend no'],
  way_history: [0, 0, 1],
  blocks: [],
  changes: [
    { ...change, date: '2024-01-02', block: 'above-average', what: 'answer', now: 'yes', left: 105, right: 100 },
    {
      ...change,
      date: '2024-01-04',
      block: 'above-average',
      what: 'answer',
      before: 'yes',
      now: 'no',
      left: 96.5,
      right: 100,
    },
    { ...change, date: '2024-01-04', block: 'trend', what: 'branch', before: 'yes', now: 'no' },
    { ...change, date: '2024-01-04', block: 'trend', what: 'rebalance', now: 'change' },
  ],
  changes_left_out: 0,
  answers: [{ block: 'above-average', ticker: null, answer: false }],
  honesty: {
    truncation: { passed: true, checked_instants: 1, failed_features: [], checked_decisions: 3, failed_decisions: 0 },
  },
}
const names = blockNames(section)

it('names the block that decided, and why a check traded', () => {
  expect(wayWords('trend yes', names)).toBe('Trend: then Leveraged')
  expect(segmentsOf(section.way_history)).toEqual([
    { from: 0, to: 2, way: 0 },
    { from: 2, to: 3, way: 1 },
  ])
  const changes = changesByDate(section)
  expect(reasonsOf(changes.get('2024-01-04')!, true, names)).toEqual([
    'Above average became false (96.50 against 100.00).',
    'Trend turned to Bills.',
  ])
  expect(reasonsOf([], true, names)).toEqual(['Rebalanced to the weights of this check.'])
  expect(reasonsOf([], false, names)).toEqual([])
})

it('says what was held, cash among it', () => {
  expect(holdingsAt(section, 2)).toBe('cash 75%, TBILLX 25%')
  expect(timelineRows(section).map(({ ticker }) => ticker)).toEqual(['SPY?L=2', 'TBILLX', 'Cash'])
  expect(weightStops([1, 1, 0, 0])).toEqual([
    { to: 50, weight: 1 },
    { to: 100, weight: 0 },
  ])
})

it('tells the state of a latch and since when', () => {
  expect(conditionStates(section, names)).toEqual([
    expect.objectContaining({ title: 'Above average', kind: 'Compare, latched', answer: false, since: '2024-01-04' }),
  ])
})
