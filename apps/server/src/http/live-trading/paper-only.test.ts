import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { errorOf, newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let alpaca: AlpacaStandIn
let server: TestApp
let ann: Caller
let strategyId: number
let liveAccountId: number
beforeAll(async () => {
  alpaca = await startAlpacaStandIn(() => Date.now())
  server = await createTestApp({ environment: { RUN_JOBS: 'off', ALPACA_LIVE_URL: alpaca.url, PAPER_ONLY: 'on' } })
  ann = await caller(server)
  strategyId = await newStrategy(ann, 'Sixty forty', {
    allocations: [
      { ticker: 'SPY', allocation: 60 },
      { ticker: 'TLT', allocation: 40 },
    ],
  })
  const live = await ann.post('/api/alpaca/accounts', {
    account_name: 'Real',
    api_key: STAND_IN_KEYS.keyId,
    api_secret: STAND_IN_KEYS.secretKey,
    paper_trading: false,
  })
  liveAccountId = live.json<{ account: { id: number } }>().account.id
})
afterAll(async () => {
  await server.close()
  await alpaca.close()
})

const REFUSED = 'This instance trades paper accounts only. Its operator has set PAPER_ONLY.'
const create = (accountId: number, more: object = {}) =>
  ann.post('/api/deployment/create', {
    deployment_name: 'Savings',
    strategy_id: strategyId,
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
    ...more,
  })
const idOf = (answer: Awaited<ReturnType<typeof create>>) => answer.json<{ deployment_id: number }>().deployment_id
const control = (id: number, action: string, more: object = {}) =>
  ann.post(`/api/deployment/${id}/control`, { action, ...more })

it('real money is not started, however it is asked for and confirmed', async () => {
  const id = idOf(await create(liveAccountId))
  const started = await control(id, 'start', { confirmation: 'Savings' })
  expect([started.statusCode, errorOf(started)]).toEqual([403, REFUSED])
  const atOnce = await create(liveAccountId, { deployment_name: 'At once', auto_start: true, confirmation: 'At once' })
  expect([atOnce.statusCode, errorOf(atOnce)]).toEqual([403, REFUSED])
  const listed = (await ann.get('/api/deployment/list')).json<{ deployments: { status: string }[] }>()
  expect(listed.deployments.map(({ status }) => status)).toEqual(['created'])
  expect(alpaca.account.orders).toEqual([])
})

it('paper is started as ever', async () => {
  const id = idOf(await create(await paperAccountOf(ann)))
  expect((await control(id, 'start')).statusCode).toBe(200)
  expect((await control(id, 'stop')).statusCode).toBe(200)
})
