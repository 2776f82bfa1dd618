import type { Block, RulesTree } from '@tradewright/core/rules/tree'
import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import { defaultSettings } from '../backtest/request.ts'
import { sleevesThatDrift } from './drift.ts'

const PERIOD = { from: dateOf('2018-01-02'), to: dateOf('2018-06-29') }

type Rebalance = Extract<Block, { kind: 'hold' }>['rebalance']

const hold = (id: string, rebalance: Rebalance, pcts = [60, 40]): Block => ({
  kind: 'hold',
  id,
  rows: pcts.map((pct, i) => ({ ticker: ['SPY', 'TLT'][i]!, pct })),
  rebalance,
})

function driftsOf(root: Block, extent = 100): Record<string, boolean> {
  const tree: RulesTree = { version: 1, check: 'daily', cash: 'CASHX', root }
  const { strategy } = planBacktest({
    ...defaultSettings,
    ...PERIOD,
    shortBorrowPct: 1,
    strategy: { kind: 'rules', tree },
  })
  if (strategy.kind !== 'rules') throw new Error('rules are planned as rules')
  const drifts = sleevesThatDrift(strategy.program, extent)
  return Object.fromEntries(strategy.program.sleeves.map(({ id, place }) => [id, drifts[place]!]))
}

it('a sleeve that is alone and is divided by the calendar or by its members needs no drift', () => {
  expect(driftsOf(hold('alone', { on: 'change' }))).toEqual({ alone: false })
  expect(driftsOf(hold('alone', { on: 'calendar', every: 'monthly' }))).toEqual({ alone: false })
  expect(driftsOf(hold('alone', { on: 'check' }))).toEqual({ alone: false })
})

it('a band, a short position and neighbours need it', () => {
  expect(driftsOf(hold('alone', { on: 'band', points: 5 }))).toEqual({ alone: true })
  expect(driftsOf(hold('alone', { on: 'change' }, [80, -30]))).toEqual({ alone: true })
  const children = [hold('first', { on: 'change' }), hold('second', { on: 'check' })]
  const group: Block = { kind: 'group', id: 'both', children, weights: { kind: 'equal' } }
  expect(driftsOf(group)).toEqual({ both: true, first: true, second: true })
})

it('a part that prices could make vanish needs it', () => {
  expect(driftsOf(hold('alone', { on: 'change' }), 1e5)).toEqual({ alone: false })
  expect(driftsOf(hold('alone', { on: 'change' }), 1e6)).toEqual({ alone: true })
  expect(driftsOf(hold('alone', { on: 'change' }, [99.999999, 0.000001]), 1e3)).toEqual({ alone: true })
})
