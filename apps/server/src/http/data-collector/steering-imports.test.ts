import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { importCsv } from '../../../test-support/import-prices.ts'
import { paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let user: Caller
let deployment: number
beforeAll(async () => {
  const clock = new ManualClock(new Date('2026-03-04T17:00:00Z'))
  server = await createTestApp({ clock, environment: { ...providersAt(NOWHERE), RUN_JOBS: 'off' } })
  user = await caller(server)
  const account = await paperAccountOf(user)
  // Holds AGG, and decides by SPY.
  const rules = {
    version: 1,
    check: 'daily',
    cash: 'CASHX',
    root: {
      kind: 'if',
      id: 'trend',
      condition: {
        kind: 'compare',
        id: 'above',
        left: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 2 } },
        is: 'above',
        right: { kind: 'number', value: 100 },
      },
      yes: { kind: 'hold', id: 'bonds', rows: [{ ticker: 'AGG', pct: 100 }] },
      no: { kind: 'hold', id: 'long', rows: [{ ticker: 'TLT', pct: 100 }] },
    },
  }
  const dates = { startDate: '2020-01-02', endDate: '2021-01-04', startValue: 10_000 }
  const saved = await user.post('/api/strategies', {
    name: 'Trend',
    strategy_type: 'Rules',
    config: { ...dates, rules },
  })
  const strategy = saved.json<{ id: number }>().id
  const created = await user.post('/api/deployment/create', {
    deployment_name: 'Trend',
    strategy_id: strategy,
    alpaca_account_id: account,
    capital_policy_value: 1000,
    auto_start: true,
  })
  expect(created.statusCode, created.body).toBe(200)
  deployment = created.json<{ deployment_id: number }>().deployment_id
})
afterAll(() => server.close())

const CSV = `date,close\n${['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'].map((day) => `${day},50`).join('\n')}\n`

async function withKey(scopes: readonly string[]) {
  const body = { name: scopes.join(' '), scopes, password: user.password, calls_per_minute: 600 }
  const made = await user.post('/api/keys', body)
  expect(made.statusCode, made.body).toBe(200)
  const { secret } = made.json<{ secret: string }>()
  return { headers: { authorization: `Bearer ${secret}` } }
}

it('a key that cannot trade does not import what a running deployment decides by or trades', async () => {
  const key = await withKey(['read', 'research'])
  for (const ticker of ['SPY', 'spy', 'AGG', 'TLT']) {
    const refused = await importCsv(server, key, ticker, CSV)
    expect([refused.statusCode, refused.json<{ scope: string }>().scope], refused.body).toEqual([403, 'trade-paper'])
  }
  expect((await importCsv(server, key, 'MYFUND', CSV)).statusCode).toBe(200)
})

it('a key that can trade does, and the next decision names the imported data', async () => {
  const preview = async () =>
    (await user.post(`/api/deployment/${deployment}/preview`)).json<{ decision: { data_notes: string[] } }>().decision
  expect((await preview()).data_notes.join(' ')).not.toContain('Imported')
  const imported = await importCsv(server, await withKey(['research', 'trade-paper']), 'SPY', CSV)
  expect(imported.statusCode, imported.body).toBe(200)
  expect((await preview()).data_notes).toContain('Imported data were used for SPY.')
})

it('the owner imports in the browser, and a key anything once the deployment is stopped', async () => {
  expect((await importCsv(server, user, 'AGG', CSV)).statusCode).toBe(200)
  await user.post(`/api/deployment/${deployment}/control`, { action: 'stop' })
  expect((await importCsv(server, await withKey(['research']), 'TLT', CSV)).statusCode).toBe(200)
})
