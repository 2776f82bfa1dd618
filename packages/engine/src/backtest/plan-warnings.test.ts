import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { planBacktest } from './plan.ts'
import { planWarnings } from './plan-warnings.ts'
import type { BacktestRequest } from './request.ts'
import { allocationRequest, mlRequest } from './test-support/requests.ts'

/** Three bars ahead: no feature of the request looks as far back. */
const target = { id: 2, params: { ticker: 'SPY', horizon: 3 } }

const warningsOf = (request: BacktestRequest) => planWarnings(planBacktest(request))

it('has nothing to say about a plain request', () => {
  expect(warningsOf(allocationRequest({ SPY: 60, TLT: 40 }))).toEqual([])
  expect(warningsOf(mlRequest({ target }))).toEqual([])
  expect(warningsOf(mlRequest({ target, sell: [] }))).toEqual([])
})

it('tells a sum that is not 100', () => {
  expect(warningsOf(allocationRequest({ SPY: 33.3, TLT: 33.3 }))).toEqual([
    'The allocation adds up to 66.6%: the rest stays in cash.',
  ])
  // Their sum is 99.99999999999999 as a computer adds them.
  const nine = Object.fromEntries(Array.from('ABCDEFGHI', (ticker, i) => [ticker, i < 8 ? 11.1 : 11.2]))
  expect(warningsOf(allocationRequest(nine))).toEqual([])
  expect(warningsOf(mlRequest({ target, buy: [{ ticker: 'SPY', allocationPct: 150 }] }))).toEqual([
    'The Buy allocation adds up to 150%: the excess is borrowed.',
  ])
})

it('tells a range that is too short, a target that is not held and an optimistic fill', () => {
  const request = mlRequest(
    { target: { id: 2, params: { ticker: 'QQQ', horizon: 5 } } },
    { from: dateOf('2024-01-02'), to: dateOf('2024-02-15'), fillTiming: 'same_close' },
  )
  expect(warningsOf(request)).toEqual([
    'The target looks at QQQ, which neither Buy nor Sell holds.',
    'Rolling correlation (SPY, TLT, window 60) needs 60 bars to warm up, and the range has 32.',
    'A target 5 bars ahead leaves little to learn from 32 bars.',
    'Filling at the same close that the decision is based on is optimistic.',
  ])
})

it('tells a feature that equals the target, and one that is chosen twice', () => {
  const change = { id: 1, params: { ticker: 'SPY', window: 5 } }
  const elsewhere = { id: 1, params: { ticker: 'TLT', window: 5 } }
  const same = { id: 2, params: { ticker: 'SPY', horizon: 5 } }
  expect(warningsOf(mlRequest({ features: [change, elsewhere], target: same }))).toEqual([
    'Percent change (SPY, window 5) is the target itself, only 5 bars late.',
  ])
  expect(warningsOf(mlRequest({ features: [elsewhere, elsewhere], target }))).toEqual([
    'Percent change (TLT, window 5) is chosen more than once; the repetition adds nothing.',
  ])
})
