import { ManualClock } from '@tradewright/core/clock'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'

const clock = new ManualClock(new Date('2026-03-04T16:00:00Z'))

let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock, environment: providersAt(NOWHERE) })
})
afterAll(() => server.close())

it('shows a portfolio after one press, with no broker and no network', async () => {
  const user = await caller(server)
  await user.post('/api/alpaca/paper-account')
  const ask = async () => (await user.get('/api/alpaca/portfolio')).json<{ portfolio: Portfolio }>().portfolio
  expect(await ask()).toMatchObject({
    equity: 100_000,
    buying_power: 100_000,
    overall_return_percent: 0,
    daily_pnl: 0,
    daily_pnl_percent: 0,
    net_contributions: 100_000,
    warning: null,
    account: { broker: 'paper', paper_trading: true, custom_host: null },
    transactions: [{ activity_type: 'JNLC', net_amount: 100_000 }],
  })
  // Three days later it has a history, and something made up to compare with.
  clock.advance(3 * 86_400_000)
  await user.get('/api/alpaca/portfolio?force_refresh=true')
  const later = await vi.waitUntil(
    async () => {
      const seen = await ask()
      return seen.is_refreshing ? undefined : seen
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(later.full_history.map(({ date }) => date)).toEqual(['2026-03-04', '2026-03-05', '2026-03-06'])
  expect(later).toMatchObject({
    total_return: 0,
    benchmarks_synthetic: true,
    cagr_calculation_method: 'simple_return_short_period',
  })
  expect(later.spy_cagr).not.toBeNull()
  expect(later.tqqq_cagr).not.toBeNull()
})
