import type { Deployment, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { expect, it } from 'vitest'
import { nextCheckText } from '../../../deployment-words/next-check.ts'
import { returnOn } from '../../../deployment-words/return-on.ts'
import { totalsOf } from './totals.ts'

const deployment = (changes: Partial<Deployment>) =>
  ({ alpaca_account_id: 1, status: 'running', total_pnl: 0, committed_capital: 0, ...changes }) as Deployment
const account = (id: number) =>
  ({ id, account_name: `Account ${id}`, percent_allocated: 40, percent_kept: 10 }) as TradingAccount

it('adds up what is at work, and lists only accounts that are used', () => {
  const list = [deployment({ total_pnl: 10, committed_capital: 100 }), deployment({ status: 'paused', total_pnl: -4 })]
  expect(totalsOf(list, [account(1), account(2)])).toEqual({
    pnl: 6,
    committed: 100,
    running: 1,
    count: 2,
    allocated: [{ name: 'Account 1', percent: 40, kept: 10 }],
  })
})

it('relates the result to what was paid in, where anything was', () => {
  expect(returnOn(deployment({ total_pnl: 5, net_contributions: 100 }))).toBe(0.05)
  expect(returnOn(deployment({ total_pnl: 5, net_contributions: 0 }))).toBeNull()
})

it('names the day of the next check when it is not today', () => {
  const now = new Date('2026-11-13T15:00:00Z')
  expect(nextCheckText('2026-11-13T20:30:00Z', now)).toBe('3:30 PM ET')
  expect(nextCheckText('2026-11-16T20:30:00Z', now)).toBe('Mon, 3:30 PM ET')
})
