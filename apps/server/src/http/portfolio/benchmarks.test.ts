import { ManualClock } from '@tradewright/core/clock'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

const clock = new ManualClock(new Date('2026-03-04T16:00:00Z'))
let alpaca: AlpacaStandIn
let server: TestApp

beforeAll(async () => {
  alpaca = await startAlpacaStandIn(() => clock.now().getTime())
  alpaca.account.history = ['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'].map((date, i) => ({
    date,
    equity: 100_000 + i,
  }))
  // No provider of market data answers.
  server = await createTestApp({ clock, environment: { ...providersAt(NOWHERE), ALPACA_PAPER_URL: alpaca.url } })
})
afterAll(async () => {
  await server.close()
  await alpaca.close()
})

async function connected(): Promise<Caller> {
  const user = await caller(server)
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  await user.post('/api/alpaca/accounts', { account_name: 'Main', ...keys })
  return user
}

const settled = (user: Caller, query = '') =>
  vi.waitUntil(
    async () => {
      const { portfolio } = (await user.get(`/api/alpaca/portfolio?${query}`)).json<{ portfolio: Portfolio }>()
      return portfolio.is_refreshing ? undefined : portfolio
    },
    { timeout: 60_000, interval: 100 },
  )

it('never stands beside an account at a broker with made-up prices unless that was asked for [PORT-014]', async () => {
  const user = await connected()
  const real = await settled(user)
  expect(real).toMatchObject({ spy_cagr: null, tqqq_cagr: null, benchmarks_synthetic: false })
  expect(real.benchmarks_missing.map(({ symbol }) => symbol)).toEqual(['SPY', 'TQQQ'])
  for (const { reason } of real.benchmarks_missing) expect(reason).toMatch(/\w+.*\.$/)
  expect(real.notes['spy_cagr']).toBe('Not available: there are no prices for these dates.')
  const asked = await settled(user, 'synthetic_benchmarks=true')
  expect(asked).toMatchObject({ benchmarks_synthetic: true, benchmarks_missing: [] })
  expect(asked.spy_cagr).not.toBeNull()
  // What was asked for once does not stay.
  expect(await settled(user)).toMatchObject({ spy_cagr: null, benchmarks_synthetic: false })
})

it('shows the benchmark that has real prices when the other one has none [PORT-014]', async () => {
  const user = await connected()
  await importDaily(server, user, 'SPY', '2026-02-02', '2026-03-04')
  const portfolio = await settled(user)
  expect(portfolio).toMatchObject({ tqqq_cagr: null, benchmarks_synthetic: false })
  expect(portfolio.spy_cagr).not.toBeNull()
  expect(portfolio.benchmarks_missing.map(({ symbol }) => symbol)).toEqual(['TQQQ'])
})
