import type { Block, RulesTree } from '@tradewright/core/rules/tree'
import { expect, it } from 'vitest'
import { compileRules } from './compile.ts'
import { silentBlocks } from './silent-blocks.ts'
import { inputsOf, market } from './test-support/random-trees.ts'

const series = market(1)
const silentOf = (root: Block) => {
  const program = compileRules({ version: 1, check: 'daily', cash: 'CASHX', root } satisfies RulesTree)
  return silentBlocks(program, inputsOf(program, series))
}
const above = (id: string, window: number) => ({
  kind: 'compare' as const,
  id,
  left: { kind: 'feature' as const, feature: 'sma', params: { window } },
  is: 'above' as const,
  right: { kind: 'number' as const, value: 1 },
})
const pick = (window: number, eligible = 3): Block => ({
  kind: 'pick',
  id: 'best',
  tickers: ['SPY', 'TLT'],
  weights: { kind: 'equal' },
  eligible: above('rises', eligible),
  rank: { order: 'top', count: 1, by: { kind: 'feature', feature: 'percent_change', params: { window } } },
})

it('a pick or a condition without history is named, with the bars that it needs', () => {
  expect(silentOf(pick(5))).toEqual([])
  expect(silentOf(pick(200))).toEqual([
    { id: 'best', sentence: expect.stringMatching(/no value on any bar.*201 bars/) },
  ])
  expect(silentOf(pick(5, 300))).toEqual([{ id: 'rises', sentence: expect.stringMatching(/no value.*300 bars/) }])
})

it.each(['SPY', 'TLT'])('one member with history is enough, whether or not %s is too young', (young) => {
  const known = series.get(young)!
  const late = { ...known, columns: { close: known.columns['close']!.map(() => Number.NaN) } }
  const program = compileRules({ version: 1, check: 'daily', cash: 'CASHX', root: pick(5) })
  expect(silentBlocks(program, inputsOf(program, new Map(series).set(young, late)))).toEqual([])
})
