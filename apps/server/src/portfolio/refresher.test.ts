import { ManualClock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import type { BrokerageAccount } from '../brokerage/account.ts'
import type { AccountRows } from '../brokerage/ports.ts'
import type { PortfolioStore } from './ports.ts'
import { PortfolioRefresher } from './refresher.ts'

const account = { id: 7, userId: 1, broker: 'alpaca' } as BrokerageAccount

/** A broker that is never there; how often it was asked is counted. */
function refresherWithout(clock = new ManualClock(new Date('2026-03-04T16:00:00Z'))) {
  const looked: number[] = []
  const bugs: string[] = []
  const refresher = new PortfolioRefresher({
    brokerFor: async (_, id) => {
      looked.push(id)
      throw new Problem('unavailable', 'broker.unavailable', 'No answer.')
    },
    // Neither is reached without a broker.
    accounts: {} as AccountRows,
    store: {} as PortfolioStore,
    now: () => clock.now(),
    pause: () => Promise.resolve(),
    onFailure: (_, message) => void bugs.push(message),
  })
  return { refresher, looked, bugs, clock }
}

it('asks a broker once for all who want it at the same moment', async () => {
  const { refresher, looked } = refresherWithout()
  const [first, second] = [refresher.refresh(account), refresher.refresh(account)]
  expect(second).toBe(first)
  expect(refresher.isRefreshing(7)).toBe(true)
  await expect(first).rejects.toThrow('No answer.')
  expect(looked).toEqual([7])
  expect(refresher.isRefreshing(7)).toBe(false)
})

it('leaves a broker alone for a while after it failed, unless a refresh is forced', async () => {
  const { refresher, looked, clock, bugs } = refresherWithout()
  refresher.refreshBehind(account)
  await refresher.idle()
  expect(refresher.failureOf(7)).toBe('No answer.')
  refresher.refreshBehind(account)
  await refresher.idle()
  expect(looked).toHaveLength(1)
  await expect(refresher.refresh(account)).rejects.toThrow()
  clock.advance(16 * SECOND)
  refresher.refreshBehind(account)
  await refresher.idle()
  expect(looked).toHaveLength(3)
  expect(bugs).toEqual([])
})
