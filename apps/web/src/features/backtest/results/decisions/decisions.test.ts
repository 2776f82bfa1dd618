import { rulesExamples } from '@tradewright/core/rules/examples'
import { expect, it } from 'vitest'
import {
  blockNames,
  changesByDate,
  answerWords,
  conditionStates,
  holdingsAt,
  reasonsOf,
  type RulesSection,
  segmentsOf,
  timelineRows,
  wayWords,
  weightStops,
  yearTicks,
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
  silent_blocks: [],
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
    'Trend turned to Bills.',
    'Above average became false (96.50 against 100.00).',
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

it('counts a short position by its size, and shows it with its sign', () => {
  const short = { ...section, weights: [{ ticker: 'SPY', history: [1, 1, -0.5] }] }
  expect(holdingsAt(short, 2)).toBe('cash 150%, SPY −50%')
  expect(weightStops([-0.5])).toEqual([{ to: 100, weight: 0.5 }])
})

it('reads the way from the outside in, and names what is held once', () => {
  const hold = (id: string) => ({ kind: 'hold', id, rows: [{ ticker: 'SPY', pct: 100 }] })
  const condition = section.tree['root'] as { condition: object }
  const inner = {
    kind: 'if',
    id: 'calm',
    condition: { ...condition.condition, id: 'quiet' },
    yes: hold('a'),
    no: hold('b'),
  }
  const root = { ...(section.tree['root'] as object), yes: inner }
  const nested = blockNames({ ...section, tree: { ...section.tree, root } })
  expect(wayWords('calm no, trend yes', nested)).toBe('Trend: then · Calm: else B')
})

it('tells a new order of the picked tickers from another choice', () => {
  const picked = (before: string, now: string) =>
    reasonsOf([{ ...change, date: '', block: 'best', what: 'choice', before, now }], true, names)
  expect(picked('QQQ, EFA', 'EFA, QQQ')).toEqual(['Best ranked EFA, QQQ in this order.'])
  expect(picked('QQQ, EFA', 'GLD, EFA')).toEqual(['Best picked GLD, EFA instead of QQQ, EFA.'])
})

it('marks the years of a long run', () => {
  const dates = Array.from({ length: 240 }, (_, i) => `${2000 + Math.floor(i / 12)}-01-31`)
  expect(yearTicks(dates).map(({ year }) => year)).toEqual(['2001', '2004', '2007', '2010', '2013', '2016'])
  expect(yearTicks(['2024-01-31', '2024-02-29'])).toEqual([])
})

it('tells the state of a latch and since when', () => {
  expect(conditionStates(section, names)).toEqual([
    expect.objectContaining({ title: 'Above average', kind: 'Compare, latched', answer: false, since: '2024-01-04' }),
  ])
  expect(answerWords(section).get('above-average')).toEqual({ isTrue: false, words: 'false since 4 Jan 2024' })
})
