import { treeProblems } from '@tradewright/core/rules/problems'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { type Block, type Condition, type RulesTree, titleOf } from '@tradewright/core/rules/tree'
import { describe, expect, it } from 'vitest'
import { cardProblems, firstProblemCard } from './card-problems.ts'
import { isSameTree, readNodeText, readRulesText, readTree, rulesText } from './exchange.ts'
import { changeHistory, newHistory } from './history.ts'
import { kindsOf, ruleKinds } from './kinds.ts'
import {
  addCard,
  allCards,
  cardAt,
  changeKind,
  duplicateCard,
  moveCard,
  pasteCard,
  pathKey,
  refusalToAdd,
  removeCard,
  replaceNode,
  ROOT,
  wrapCard,
} from './tree-edits.ts'

const hold = (id: string, ticker = 'SPY'): Block => ({ kind: 'hold', id, rows: [{ ticker, pct: 100 }] })
const group = (...children: Block[]): Block => ({
  kind: 'group',
  id: 'parts',
  children,
  weights: { kind: 'fixed', pcts: children.map((_, i) => (i + 1) * 10) },
})
const treeOf = (root: Block): RulesTree => ({ version: 1, check: 'daily', cash: 'CASHX', root })
const idsOf = (tree: RulesTree) => allCards(tree).map(({ node }) => node.id)
const example = (key: string) => rulesExamples.find((one) => one.key === key)!.tree

describe('an edit of the tree', () => {
  const three = treeOf(group(hold('a'), hold('b'), hold('c')))

  it('deletes a part with its weight, and puts cash where something must stand', () => {
    const { tree, focus } = removeCard(three, ['root', 'children', 1])
    expect(tree.root).toMatchObject({ children: [{ id: 'a' }, { id: 'c' }], weights: { pcts: [10, 30] } })
    expect(pathKey(focus)).toBe('root.children.0')
    expect(removeCard(three, ROOT).tree.root.kind).toBe('cash')
    const trend = example('leveraged-trend')
    expect(removeCard(trend, ['root', 'condition']).tree.root).toMatchObject({ condition: { kind: 'compare' } })
  })

  it('moves a part with its weight, and then and else change places', () => {
    const { tree, focus } = moveCard(three, ['root', 'children', 0], 1)
    expect(tree.root).toMatchObject({
      children: [{ id: 'b' }, { id: 'a' }, { id: 'c' }],
      weights: { pcts: [20, 10, 30] },
    })
    expect(pathKey(focus)).toBe('root.children.1')
    expect(moveCard(three, ['root', 'children', 0], -1).tree).toBe(three)
    const dual = moveCard(example('dual-momentum'), ['root', 'yes'], 1).tree.root
    expect(dual).toMatchObject({ yes: { id: 'bonds' }, no: { id: 'relative' } })
  })

  it('pastes with new ids, after a part or over a single card, and uses follow their copies', () => {
    const pasted = pasteCard(three, ['root', 'children', 0], hold('a', 'TLT')).tree
    expect(idsOf(pasted)).toEqual(['parts', 'a', 'a-1', 'b', 'c'])
    expect(pasted.root).toMatchObject({ weights: { pcts: [10, 0, 20, 30] } })
    const haa = example('haa')
    const twice = treeOf(group(haa.root))
    const copy = cardAt(pasteCard(twice, ['root', 'children', 0], haa.root).tree, ['root', 'children', 1])!.node
    expect(copy).toMatchObject({ id: 'canary-1', yes: { rest: { of: 'defensive-1' } }, no: { id: 'defensive-1' } })
    expect(pasteCard(haa, ['root', 'no'], hold('bonds')).tree.root).toMatchObject({ no: { id: 'bonds' } })
  })

  it.each(rulesExamples)('duplicates the whole of $name without a problem', ({ tree }) => {
    const twice = duplicateCard(tree, ROOT).tree
    expect(twice.root).toMatchObject({ kind: 'group', children: [tree.root, {}] })
    expect(treeProblems(twice)).toEqual([])
  })

  it('takes a card into another kind instead of losing it', () => {
    const one = treeOf(hold('a'))
    expect(changeKind(one, ROOT, 'if').root).toMatchObject({ kind: 'if', yes: { id: 'a' } })
    expect(changeKind(one, ROOT, 'pick').root).toEqual({
      kind: 'pick',
      id: 'a',
      tickers: ['SPY'],
      weights: { kind: 'equal' },
    })
    expect(changeKind(changeKind(one, ROOT, 'if'), ROOT, 'hold')).toEqual(one)
    const trend = example('leveraged-trend')
    const where = ['root', 'condition']
    const latched = changeKind(trend, where, 'latch')
    expect(latched.root).toMatchObject({ condition: { kind: 'latch', enter: { id: 'above-average' } } })
    expect(changeKind(latched, where, 'compare')).toEqual(trend)
    expect(wrapCard(trend, where, 'streak').tree.root).toMatchObject({ condition: { of: { id: 'above-average' } } })
  })

  it.each([...kindsOf('block'), ...kindsOf('condition')])('adds a card of kind %s that the server can read', (kind) => {
    const node = ruleKinds[kind].create(`${kind}-1`)
    const isBlock = ruleKinds[kind].family === 'block'
    const tree = isBlock
      ? addCard(treeOf(group()), ROOT, ruleKinds.group.slots[0]!, node).tree
      : replaceNode(example('dual-momentum'), ['root', 'condition'], node)
    // A use names no block yet, and lists begin empty: the card says so.
    expect(readTree(tree)).toHaveProperty('value')
    expect(new Set(idsOf(tree)).size).toBe(idsOf(tree).length)
  })

  it('says when there is no room for more', () => {
    const many = treeOf(group(...Array.from({ length: 499 }, (_, i) => hold(`h${i}`))))
    expect(refusalToAdd(many, hold('one'))).toMatch(/501 blocks; up to 500/)
    expect(refusalToAdd(three, hold('one'))).toBeUndefined()
  })
})

describe('the steps back', () => {
  it('are taken back and again, and typing in one field is one of them', () => {
    const [a, b, c] = [treeOf(hold('a')), treeOf(hold('b')), treeOf(hold('c'))]
    let history = changeHistory(newHistory(a), { do: 'edit', tree: b, field: 'x' })
    history = changeHistory(history, { do: 'edit', tree: c, field: 'x' })
    expect(history.past).toEqual([a])
    history = changeHistory(history, { do: 'undo' })
    expect(history.present).toBe(a)
    history = changeHistory(history, { do: 'redo' })
    expect(history.present).toBe(c)
    expect(changeHistory(history, { do: 'redo' })).toBe(history)
  })
})

describe('import', () => {
  it.each(rulesExamples)('reads the export of $name', ({ tree }) => {
    expect(readRulesText(rulesText(tree))).toEqual({ value: tree })
  })

  it.each([
    ['', /not JSON/],
    ['{', /not JSON/],
    ['[]', /JSON object with version/],
    ['{"version":2}', /version of the rules must be 1/],
    ['x'.repeat(2_000_001), /too long/],
    [`${'{"root":'.repeat(20_000)}1${'}'.repeat(20_000)}`, /./],
    [JSON.stringify(treeOf({ kind: 'magic', id: 'm' } as never)), /root.*A block is one of/],
    [
      JSON.stringify(treeOf({ ...group(hold('a')), children: Array.from({ length: 500 }, () => hold('h')) } as Block)),
      /501 blocks/,
    ],
    ['{"version":1,"check":"daily","cash":"CASHX","__proto__":{"a":1},"root":{"kind":"cash","id":"c"}}', /no field/],
  ])('answers %.40s with a sentence', (text, sentence) => {
    expect(readRulesText(text)).toEqual({ sentence: expect.stringMatching(sentence) })
  })

  it('keeps a number that is out of its range, for its card to say so', () => {
    for (const window of [1, 2.5, 1e6]) {
      const tree = treeOf({ kind: 'pick', id: 'p', tickers: ['SPY'], weights: { kind: 'risk-parity', window } })
      expect(readTree(tree)).toEqual({ value: tree })
    }
  })

  it('takes a copied card of the right family only', () => {
    const condition: Condition = { kind: 'all', id: 'all', of: [] }
    expect(readNodeText(JSON.stringify(condition), 'condition')).toEqual({ value: condition })
    expect(readNodeText(JSON.stringify(condition), 'block')).toEqual({ sentence: expect.stringMatching(/no block/) })
    expect(readNodeText('SPY', 'block')).toEqual({ sentence: expect.stringMatching(/no block/) })
  })
})

describe('a problem', () => {
  it('is shown at the nearest card, the server’s once', () => {
    const tree = treeOf({ kind: 'pick', id: 'best', tickers: [], weights: { kind: 'equal' } })
    const sentence = 'Add a ticker: there is nothing to pick from.'
    const server = { block: 'best', path: 'root', sentence }
    expect(cardProblems(tree, [server, { ...server, path: 'root.rank.by', sentence: 'RSI needs a ticker.' }])).toEqual(
      new Map([['root', [sentence, 'RSI needs a ticker.']]]),
    )
    const trend = example('leveraged-trend')
    expect(firstProblemCard(trend, [{ block: 'x', path: 'root.condition.left', sentence: '' }])).toBe('root.condition')
  })

  it('of the tree as a whole belongs to no card', () => {
    const wrong = { ...treeOf(hold('a')), cash: 'GDP!' }
    expect([...cardProblems(wrong, []).keys()]).toEqual([''])
  })
})

it('reads an id in words where a card has no name', () => {
  expect(titleOf({ id: 'above-average' })).toBe('Above average')
  expect(titleOf({ id: 'x', name: 'Trend' })).toBe('Trend')
})

it('knows the tree that ran by what it says, not by the order of its fields', () => {
  const { tree } = rulesExamples[0]!
  const stored = { root: tree.root, cash: tree.cash, check: tree.check, version: tree.version }
  expect(isSameTree(stored, tree)).toBe(true)
  expect(isSameTree({ ...stored, check: 'yearly' }, tree)).toBe(false)
})
