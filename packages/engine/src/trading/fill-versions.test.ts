import { Decimal } from '@tradewright/core/decimal'
import { expect, it } from 'vitest'
import type { Fill } from './broker.ts'
import { fillVersions, standingFills } from './fill-versions.ts'

const fill = (executionId: string, more: Partial<Fill> = {}): Fill => ({
  executionId,
  orderId: 'order',
  clientOrderId: 'mine',
  ticker: 'SPY',
  side: 'buy',
  quantity: Decimal.parse('1'),
  price: Decimal.parse('400'),
  fee: Decimal.zero,
  at: 0,
  ...more,
})

const ids = (fills: readonly Fill[]) => fills.map(({ executionId }) => executionId)

it('an execution that is told twice is one', () => {
  expect(ids(standingFills([fill('a'), fill('b'), fill('a')]))).toEqual(['a', 'b'])
})

it('one that was taken back, in place or by another, does not count', () => {
  const list = [fill('a', { state: 'canceled' }), fill('b'), fill('c'), fill('d', { state: 'canceled', replaces: 'b' })]
  expect(ids(standingFills(list))).toEqual(['c'])
})

it('a correction of a correction takes the place of both, also where it names the first', () => {
  const list = [fill('a'), fill('b', { replaces: 'a' }), fill('c', { replaces: 'b' }), fill('d', { replaces: 'a' })]
  expect(fillVersions(list).map(({ current, ids: all }) => [current.executionId, all])).toEqual([
    ['d', ['a', 'b', 'c', 'd']],
  ])
})

it('a list whose corrections name each other still ends', () => {
  expect(fillVersions([fill('a', { replaces: 'b' }), fill('b', { replaces: 'a' })]).length).toBeGreaterThan(0)
})

it('a correction whose original is not listed knows of it', () => {
  expect(fillVersions([fill('b', { replaces: 'a' })])[0]!.ids).toEqual(['a', 'b'])
})
