import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let user: Caller
let yahoo: StandIn
let accountId: number
beforeAll(async () => {
  const clock = new ManualClock(new Date('2026-03-04T17:00:00Z'))
  yahoo = await startYahooStandIn(() => clock.now().getTime())
  server = await createTestApp({
    clock,
    environment: { ...providersAt(NOWHERE), YAHOO_URL: yahoo.url, RUN_JOBS: 'off' },
  })
  user = await caller(server)
  accountId = await paperAccountOf(user)
})
afterAll(async () => {
  await server.close()
  await yahoo.close()
})

async function deploymentOn(provider: string, ticker: string): Promise<number> {
  const allocations = [{ ticker, allocation: 100 }]
  const strategy = await newStrategy(user, `${ticker} by ${provider}`, { allocations, dataProvider: provider })
  const created = await user.post('/api/deployment/create', {
    deployment_name: `${ticker} by ${provider}`,
    strategy_id: strategy,
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
  })
  expect(created.statusCode, created.body).toBe(200)
  return created.json<{ deployment_id: number }>().deployment_id
}

it('a preview that is asked for again asks a data provider again that has just failed', async () => {
  yahoo.misbehave('down')
  const id = await deploymentOn('auto', 'SPY')
  const preview = async () => (await user.post(`/api/deployment/${id}/preview`)).json<{ decision: object }>().decision
  expect(await preview()).toMatchObject({ synthetic: true, synthetic_tickers: ['SPY'] })
  yahoo.behave()
  expect(await preview()).toMatchObject({ synthetic: false, synthetic_tickers: [] })
  // The size of the order against what is traded on an average day, by the same prices.
  const { volumes } = (await user.post(`/api/deployment/${id}/preview`)).json<{ volumes: object[] }>()
  expect(volumes).toEqual([
    {
      symbol: 'SPY',
      order_value: expect.any(Number) as number,
      average_daily_usd: expect.any(Number) as number,
      share_pct: expect.any(Number) as number,
      reason: null,
      synthetic: false,
    },
  ])
})

it('a preview without prices is refused by the code that Retry and Import are offered for', async () => {
  yahoo.misbehave('down')
  const id = await deploymentOn('yahoo', 'AAPL')
  const refused = await user.post(`/api/deployment/${id}/preview`)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ code: 'backtest.no-data' })
})
