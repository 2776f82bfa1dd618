import { expect, it } from 'vitest'
import { describeRules } from './describe.ts'
import { rulesExamples } from './examples.ts'
import { type Block, type RulesTree, titleOf } from './tree.ts'

const reading = (key: string) => describeRules(rulesExamples.find((one) => one.key === key)!.tree, (name) => name)

it('reads a trend with tolerance', () => {
  expect(reading('leveraged-trend')).toEqual([
    'At the close of each day:',
    'If SPY’s close is more than 3% above SPY’s 200-bar average (until it is as far on the other side):',
    '  Hold SPY?L=2.',
    'Otherwise:',
    '  Hold TBILLX.',
  ])
})

it('reads a rotation with a filter and a rest', () => {
  expect(reading('gtaa')).toEqual([
    'At the close of the last session of each month:',
    'Hold SPY, EFA, IEF, DBC and VNQ, each only if its close is above its 210-bar average, in equal parts.',
    'What is left: TBILLX.',
  ])
  expect(reading('rsi-2')[1]).toBe(
    'If the latch is on (on when (SPY’s close is above SPY’s 200-bar average and SPY’s 2-bar RSI is below 10), off when SPY’s close is above SPY’s 5-bar average):',
  )
})

it('reads groups with their weights and rebalancing', () => {
  const tree: RulesTree = {
    version: 1,
    check: 'weekly',
    cash: 'CASHX',
    root: {
      kind: 'group',
      id: 'both',
      weights: { kind: 'fixed', pcts: [60, 30] },
      rebalance: { on: 'calendar', every: 'yearly' },
      children: [
        { kind: 'hold', id: 'us-stocks', name: 'US stocks', rows: [{ ticker: 'SPY', pct: 100 }] },
        { kind: 'use', id: 'b', of: 'us-stocks' },
      ],
    },
  }
  expect(describeRules(tree, (name) => name)).toEqual([
    'At the close of the last session of each week:',
    'Side by side, rebalanced yearly:',
    '  60%:',
    '    Hold SPY.',
    '  30%:',
    '    The same as “US stocks”.',
    'What is left: cash.',
  ])
})

it('has a reading of every example', () => {
  for (const { key } of rulesExamples) expect(reading(key).join(' '), key).not.toMatch(/undefined|NaN/)
})

it('calls a block by its name, by what it holds, or by its id in words', () => {
  const rows = [{ ticker: 'SPY' }, { ticker: 'AGG' }]
  expect(titleOf({ id: 'hold-2', name: 'Core', rows })).toBe('Core')
  expect(titleOf({ id: 'if-1-then', kind: 'hold', rows })).toBe('SPY, AGG')
  expect(titleOf({ id: 'pick-1', tickers: ['A', 'B', 'C', 'D'] })).toBe('A, B, C and others')
  expect(titleOf({ id: 'cash-1', kind: 'cash' })).toBe('Cash')
  expect(titleOf({ id: 'us-stocks', rows })).toBe('Us stocks')
  expect(titleOf({ id: 'cash-1', kind: 'pick', tickers: [] })).toBe('Pick 1')
  expect(titleOf({ id: 'group-2', kind: 'group' })).toBe('Group 2')
})

it('says of a block without content what is missing', () => {
  const said = (root: Block) => describeRules({ version: 1, check: 'daily', cash: 'CASHX', root }, (name) => name)[1]
  expect(said({ kind: 'pick', id: 'pick-1', tickers: [], weights: { kind: 'equal' } })).toBe('Hold no ticker yet.')
  expect(said({ kind: 'hold', id: 'hold-1', rows: [{ ticker: '', pct: 100 }] })).toBe('Hold no ticker yet.')
  expect(said({ kind: 'group', id: 'group-1', children: [], weights: { kind: 'equal' } })).toBe('Hold no block yet.')
})
