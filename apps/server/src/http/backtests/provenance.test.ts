import { BacktestAnswer } from '@tradewright/contract/backtests'
import type { ErrorAnswer } from '@tradewright/contract/answers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import type { Credentials } from '../../../test-support/visitor.ts'

let server: TestApp
let user: Caller
let credentials: Credentials
let yahoo: StandIn
beforeAll(async () => {
  yahoo = await startYahooStandIn(Date.now)
  yahoo.misbehave('down')
  server = await createTestApp({ environment: { ...providersAt(NOWHERE), YAHOO_URL: yahoo.url } })
  user = await caller(server)
  credentials = { cookie: user.headers['cookie']! }
})
afterAll(async () => {
  await server.close()
  await yahoo.close()
})

const PERIOD = { startDate: '2022-01-03', endDate: '2022-03-31' }
const post = (fields: object) =>
  postBacktest(server, credentials, { ...allocationForm, ...PERIOD, dataProvider: 'auto', ...fields })
const run = async (fields: object) => {
  const answer = await post(fields)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return BacktestAnswer.parse(answer.json())
}

it('says in plain words that a provider could not be reached, and what came of it', async () => {
  const result = await run({ 'ticker[]': ['QQQ'], 'allocation[]': ['100'] })
  expect(result).toMatchObject({ synthetic: true, synthetic_tickers: ['QQQ'] })
  expect(result.data_problems).toEqual([
    {
      effect: 'synthetic',
      tickers: ['QQQ'],
      provider: 'Yahoo Finance',
      sentence: 'Yahoo Finance cannot be reached from this server, so QQQ is synthetic sample data.',
      may_retry: true,
    },
  ])
  expect(result.notes).toContain(result.data_problems[0]!.sentence)
})

it('calls imported prices real, names their source, and mixes nothing into them unasked', async () => {
  await importDaily(server, user, 'SPY', '2021-12-01', '2022-04-29')
  const own = await run({ 'ticker[]': ['SPY'], 'allocation[]': ['100'] })
  expect(own).toMatchObject({ synthetic: false, synthetic_tickers: [] })
  expect(own.series_sources[0]).toMatchObject({ ticker: 'SPY', used_for: 'traded', providers: [{ provider: 'csv' }] })
  expect(own.series_sources.find(({ used_for }) => used_for === 'rate')).toMatchObject({ synthetic: true })

  const refused = await post({ 'ticker[]': ['SPY', 'AGG'], 'allocation[]': ['60', '40'] })
  expect(refused.statusCode).toBe(400)
  const { code, error } = refused.json<ErrorAnswer>()
  expect(code).toBe('backtest.mixed-prices')
  expect(error).toContain('prices of SPY are real, but for AGG there is only synthetic sample data')

  const mixed = await run({ 'ticker[]': ['SPY', 'AGG'], 'allocation[]': ['60', '40'], allowMixedPrices: 'true' })
  expect(mixed).toMatchObject({ synthetic: true, synthetic_tickers: ['AGG'] })
  expect(mixed.settings.allow_mixed_prices).toBe(true)
})

it('asks a provider again at once when the user retries', async () => {
  await run({ 'ticker[]': ['AAPL'], 'allocation[]': ['100'] })
  yahoo.behave()
  const later = await run({ 'ticker[]': ['AAPL'], 'allocation[]': ['100'] })
  expect(later.synthetic).toBe(true)
  const retried = await run({ 'ticker[]': ['AAPL'], 'allocation[]': ['100'], retryData: 'true' })
  expect(retried).toMatchObject({ synthetic: false, data_problems: [] })
})
