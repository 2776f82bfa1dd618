import { expect, it } from 'vitest'
import type { StoredFill } from '../ports/journal.ts'
import { slippageOf } from './lived-orders.ts'

const fill = (quantity: number, costBps: number | null): StoredFill => ({
  id: `of ${quantity}`,
  ticker: 'SPY',
  side: 'buy',
  at: 0,
  quantity,
  price: 100,
  decisionPrice: null,
  quote: null,
  fee: 1,
  costBps,
})

it('slippage is weighed by the value of the fills that have a price to compare with', () => {
  // 10 bps of $1,000 and 40 bps of $3,000; $6,000 have nothing to compare with, and paid a fee all the same.
  const { costBps, feeBps } = slippageOf([fill(10, 10), fill(30, 40), fill(60, null)])
  expect(costBps).toBeCloseTo(32.5, 9)
  expect(feeBps).toBeCloseTo((3 / 10_000) * 10_000, 9)
})

it('slippage is not known where no fill has a price to compare with', () => {
  expect(slippageOf([fill(10, null)])).toMatchObject({ costBps: null })
  expect(slippageOf([])).toEqual({ costBps: null, feeBps: null })
})
