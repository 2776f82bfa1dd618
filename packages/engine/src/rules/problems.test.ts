import { Problem } from '@tradewright/core/problem'
import { type Block, type Condition, MAX_BLOCKS, type RulesTree } from '@tradewright/core/rules/tree'
import { describe, expect, it } from 'vitest'
import { compileRules, rulesProblems } from './compile.ts'

const treeOf = (root: Block, more: Partial<RulesTree> = {}): RulesTree => ({
  version: 1,
  check: 'daily',
  cash: 'CASHX',
  root,
  ...more,
})
const hold = (id: string, ticker = 'SPY', pct = 100): Block => ({ kind: 'hold', id, rows: [{ ticker, pct }] })
const compare = (id: string, params: Record<string, string | number>, feature = 'sma'): Condition => ({
  kind: 'compare',
  id,
  left: { kind: 'feature', feature, params },
  is: 'above',
  right: { kind: 'number', value: 1 },
})
const ifBlock = (condition: Condition): Block => ({ kind: 'if', id: 'i', condition, yes: hold('a'), no: hold('b') })
const pick = (more: Partial<Extract<Block, { kind: 'pick' }>>): Block => ({
  kind: 'pick',
  id: 'p',
  tickers: ['SPY', 'TLT'],
  weights: { kind: 'equal' },
  ...more,
})
const group = (children: Block[], pcts: number[]): Block => ({
  kind: 'group',
  id: 'g',
  children,
  weights: { kind: 'fixed', pcts },
})

describe('what is wrong is said at its block', () => {
  it.each<[string, RulesTree, string | undefined, string, RegExp]>([
    ['an empty universe', treeOf(pick({ tickers: [] })), 'p', 'root', /nothing to pick from/],
    ['an empty group', treeOf(group([], [])), 'g', 'root', /empty/],
    [
      'an unknown feature',
      treeOf(ifBlock(compare('c', { ticker: 'SPY' }, 'magic'))),
      'c',
      'root.condition.left',
      /no feature "magic"/,
    ],
    [
      'an unknown parameter',
      treeOf(ifBlock(compare('c', { ticker: 'SPY', length: 5 }))),
      'c',
      'root.condition.left',
      /no parameter "length"/,
    ],
    [
      'a parameter out of range',
      treeOf(ifBlock(compare('c', { ticker: 'SPY', window: 0 }))),
      'c',
      'root.condition.left',
      /window must be/,
    ],
    [
      'a feature without a ticker',
      treeOf(ifBlock(compare('c', { window: 5 }))),
      'c',
      'root.condition.left',
      /needs a ticker/,
    ],
    [
      'a key of every object',
      treeOf(ifBlock(compare('c', { ticker: 'SPY' }, 'constructor'))),
      'c',
      'root.condition.left',
      /no feature/,
    ],
    ['weights above 100%', treeOf(group([hold('a'), hold('b')], [60, 50])), 'g', 'root', /add up to 110%/],
    ['a weight missing', treeOf(group([hold('a'), hold('b')], [60])), 'g', 'root', /2 blocks and 1 weights/],
    ['a negative weight', treeOf(group([hold('a'), hold('b')], [60, -5])), 'g', 'root', /negative/],
    ['a coin sold short', treeOf(hold('a', 'BTC-USD', -5)), 'a', 'root', /coins are not lent/],
    ['a leveraged ticker sold short', treeOf(hold('a', 'SPY?L=2', -5)), 'a', 'root', /sell SPY short instead/],
    ['a ticker that is none', treeOf(hold('a', 'S P Y')), 'a', 'root', /not a ticker/],
    ['a series that cannot be held', treeOf(hold('a', 'UNRATE')), 'a', 'root', /cannot be held/],
    ['a ticker twice', treeOf(pick({ tickers: ['SPY', 'spy'] })), 'p', 'root', /more than once/],
    [
      'more places than tickers',
      treeOf(pick({ rank: { order: 'top', count: 3, by: { kind: 'feature', feature: 'sma', params: {} } } })),
      'p',
      'root',
      /top 3 cannot be picked from 2/,
    ],
    [
      'a ranking by one ticker',
      treeOf(
        pick({ rank: { order: 'top', count: 1, by: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY' } } } }),
      ),
      'p',
      'root',
      /same for every ticker/,
    ],
    ['a cash ticker that is none', treeOf(hold('a'), { cash: '' }), undefined, 'cash', /not a ticker/],
    [
      'an unknown block',
      treeOf(group([hold('a'), { kind: 'use', id: 'u', of: 'none' }], [50, 50])),
      'u',
      'root.children.1',
      /no block “none”/,
    ],
    [
      'a block inside itself',
      treeOf(group([hold('a'), { kind: 'use', id: 'u', of: 'g' }], [50, 50])),
      'u',
      'root.children.1',
      /part of itself/,
    ],
    ['an id twice', treeOf(group([hold('a'), hold('a')], [50, 50])), 'a', 'root.children.1', /Two blocks/],
    ['no condition', treeOf(ifBlock({ kind: 'all', id: 'c', of: [] })), 'c', 'root.condition', /it has none/],
  ])('%s', (_, tree, block, path, sentence) => {
    expect(rulesProblems(tree)).toEqual([{ block, path, sentence: expect.stringMatching(sentence) as string }])
    expect(() => compileRules(tree)).toThrow(Problem)
  })

  it('a circle of two blocks', () => {
    const circle = group(
      [
        { kind: 'group', id: 'a', weights: { kind: 'equal' }, children: [{ kind: 'use', id: 'u', of: 'b' }] },
        { kind: 'group', id: 'b', weights: { kind: 'equal' }, children: [{ kind: 'use', id: 'v', of: 'a' }] },
      ],
      [50, 50],
    )
    expect(rulesProblems(treeOf(circle)).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('part of itself') as string,
    ])
  })

  it('too many levels, at the first block that is too deep', () => {
    const nest = (depth: number): Block =>
      depth === 0 ? hold('end') : { ...group([nest(depth - 1)], [100]), id: `g${depth}` }
    expect(rulesProblems(treeOf(nest(5)))).toEqual([])
    expect(rulesProblems(treeOf(nest(40))).map(({ block }) => block)).toEqual(['g34'])
  })

  it('too many blocks, also where few of them stand for many', () => {
    const many = Array.from({ length: MAX_BLOCKS }, (_, i) => hold(`h${i}`))
    expect(rulesProblems(treeOf({ kind: 'group', id: 'g', weights: { kind: 'equal' }, children: many }))).toEqual([
      { block: undefined, path: '', sentence: expect.stringContaining(`${MAX_BLOCKS + 1} blocks`) as string },
    ])
    const doubled: Block[] = [hold('d0')]
    for (let i = 1; i < 30; i++) {
      const uses = ['u', 'v'].map((name): Block => ({ kind: 'use', id: `${name}${i}`, of: `d${i - 1}` }))
      doubled.push({ kind: 'group', id: `d${i}`, weights: { kind: 'equal' }, children: uses })
    }
    const problems = rulesProblems(treeOf({ kind: 'group', id: 'g', weights: { kind: 'equal' }, children: doubled }))
    expect(problems).toEqual([
      { block: undefined, path: '', sentence: expect.stringContaining('written out') as string },
    ])
  })
})

it('refuses more features than a run can hold, by however few blocks', () => {
  const tickers = Array.from({ length: 30 }, (_, i) => `T${i}`)
  const children = Array.from({ length: 20 }, (_, i) =>
    pick({ id: `p${i}`, tickers, weights: { kind: 'risk-parity', window: 20 + i } }),
  )
  const tree = treeOf({ kind: 'group', id: 'g', children, weights: { kind: 'equal' } })
  expect(() => compileRules(tree)).toThrow('The blocks ask for more than 5,000 features')
  expect(compileRules(treeOf(children[0]!)).features).toHaveLength(435 + 2 * 30)
})
