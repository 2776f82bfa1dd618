import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { optimizationForm, optimize, type Runs, runsOf } from '../../../test-support/optimization.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let user: RegisteredUser
let runs: Runs
let yahoo: StandIn
beforeAll(async () => {
  yahoo = await startYahooStandIn(Date.now)
  server = await createTestApp({ environment: { ...providersAt(NOWHERE), YAHOO_URL: yahoo.url } })
  user = await register(server)
  runs = runsOf(server, user)
})
afterAll(async () => {
  await server.close()
  await yahoo.close()
})

const lastRun = async () => runs.get((await runs.list())[0]!.id)

it('a failed run says by a code that prices are missing, so that the screen can offer Retry and Import', async () => {
  yahoo.misbehave('down')
  const answer = await optimize(server, user, { ...optimizationForm, data_provider: 'yahoo' })
  expect(answer.statusCode).toBe(400)
  expect(await lastRun()).toMatchObject({ status: 'failed', error_code: 'backtest.no-data' })
})

it('Retry asks a provider again that has just failed', async () => {
  yahoo.misbehave('down')
  expect(
    (await optimize(server, user, { ...optimizationForm, related_assets: ['AAPL'], data_provider: 'auto' })).statusCode,
  ).toBe(200)
  const failed = await lastRun()
  expect(failed.results?.data_problems.map(({ tickers, may_retry }) => [tickers, may_retry])).toContainEqual([
    expect.arrayContaining(['SPY']),
    true,
  ])
  yahoo.behave()
  const { run } = (await runs.act(failed.id, 'rerun')).json<{ run: OptimizationRunItem }>()
  await expect.poll(async () => (await runs.get(run.id)).status).toBe('completed')
  expect((await runs.get(run.id)).results).toMatchObject({ synthetic: false, data_problems: [] })
})
