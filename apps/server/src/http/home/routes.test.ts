import { HOME_CURVE_POINTS, HomeResult } from '@tradewright/contract/home'
import { sql } from 'kysely'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { NOWHERE } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let ann: Caller
let bob: Caller
beforeAll(async () => {
  server = await createTestApp()
  ann = await caller(server)
  bob = await caller(server)
})
afterAll(() => server.close())

const results = async (who: Caller) =>
  (await who.get('/api/home/results')).json<{ latest: HomeResult[]; best: HomeResult[]; left_out?: number }>()
const checklist = async (who: Caller) =>
  (await who.get('/api/home/checklist')).json<{ done: string[]; hidden: boolean }>()
const alerts = async (who: Caller) =>
  (await who.get('/api/home/alerts')).json<{ alerts: { name: string; text: string }[] }>().alerts

const save = async (who: Caller, backtestName: string, more: Record<string, string | string[]> = {}) => {
  const fields = { ...allocationForm, saveBacktest: 'true', backtestName, ...more }
  const answer = await postBacktest(server, { cookie: who.headers['cookie']! }, fields)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.json<{ backtest_id: number; account_value_history: number[]; cagr: number; sharpe: number }>()
}

it('ticks steps off by what really happened, and keeps them', async () => {
  const eve = await caller(server)
  expect(await checklist(eve)).toEqual({ done: [], hidden: false })

  const run = await postBacktest(server, { cookie: eve.headers['cookie']! }, allocationForm)
  expect(run.statusCode).toBe(200)
  expect((await checklist(eve)).done).toEqual(['backtest'])

  const strategyId = await newStrategy(eve, 'Sixty forty')
  expect((await checklist(eve)).done).toEqual(['backtest', 'strategy'])
  await importDaily(server, eve, 'MINE', '2024-01-02', '2024-03-01')
  expect((await checklist(eve)).done).toEqual(['backtest', 'strategy', 'data'])
  await eve.delete(`/api/strategies/${strategyId}`)
  expect((await checklist(eve)).done).toEqual(['backtest', 'strategy', 'data'])

  const accountId = await paperAccountOf(eve)
  const created = await eve.post('/api/deployment/create', {
    deployment_name: 'Live one',
    strategy_id: await newStrategy(eve, 'Another'),
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
  })
  const { id } = created.json<{ deployment: { id: number } }>().deployment
  expect((await checklist(eve)).done).toEqual(['backtest', 'strategy', 'data', 'account'])
  const started = await eve.post(`/api/deployment/${id}/control`, { action: 'start' })
  expect(started.statusCode, started.body).toBe(200)
  expect((await checklist(eve)).done).toEqual(['backtest', 'strategy', 'data', 'account', 'deployment'])
  expect((await checklist(bob)).done).toEqual([])
})

it('hides the checklist for the user alone, and shows it again', async () => {
  expect((await ann.put('/api/home/checklist', { hidden: true })).json()).toEqual({ done: [], hidden: true })
  expect((await checklist(ann)).hidden).toBe(true)
  expect((await checklist(bob)).hidden).toBe(false)
  expect((await ann.put('/api/home/checklist', { hidden: false })).json()).toMatchObject({ hidden: false })
  expect((await ann.put('/api/home/checklist', {})).statusCode).toBe(400)
})

it('lists the newest results and the best of each strategy, with small curves and what they are made of', async () => {
  expect(await results(ann)).toEqual({ latest: [], best: [] })
  const mixed = await save(ann, 'Mixed')
  const stocks = { strategyName: 'Stocks', 'ticker[]': ['SPY'], 'allocation[]': ['100'] }
  await save(ann, 'Stocks, shorter', { ...stocks, startDate: '2021-01-04' })
  await save(ann, 'Stocks', stocks)
  // No return above a constant: no Sharpe ratio.
  const cash = { 'ticker[]': ['CASHX'], 'allocation[]': ['100'], riskFreeTicker: 'CASHX' }
  await save(ann, 'Cash alone', { ...cash, strategyName: 'Cash' })

  const { latest, best } = await results(ann)
  expect(latest.map(({ name }) => name)).toEqual(['Cash alone', 'Stocks', 'Stocks, shorter'])
  expect(latest[0]).toMatchObject({ sharpe: null, figure_notes: { sharpe: expect.any(String) as string } })
  expect(best.map(({ strategy_name }) => strategy_name).toSorted()).toEqual(['Sixty forty', 'Stocks'])
  const [first, second] = best
  expect(first!.sharpe).toBeGreaterThanOrEqual(second!.sharpe!)

  const own = best.find(({ backtest_id }) => backtest_id === mixed.backtest_id)!
  expect(HomeResult.strict().parse(own)).toEqual(own)
  expect(own).toMatchObject({ start_date: '2018-01-02', end_date: '2022-12-30', synthetic: true, sharpe: mixed.sharpe })
  expect(own.growth).toHaveLength(HOME_CURVE_POINTS)
  expect(own.growth.at(-1)).toBeCloseTo(mixed.account_value_history.at(-1)! / 10_000, 9)
  expect(await results(bob)).toEqual({ latest: [], best: [] })
})

it('says whose prices stood in for a ticker', async () => {
  const early = await caller(server)
  const gold = { 'ticker[]': ['GLD?FB=SPY'], 'allocation[]': ['100'] }
  await save(early, 'Gold', { ...gold, startDate: '2004-06-01', endDate: '2005-06-01' })
  const [result] = (await results(early)).latest
  expect(result!.spliced_tickers).toMatchObject([{ ticker: 'GLD?FB=SPY', stand_ins: [{ ticker: 'SPY' }] }])
})

it('leaves money that was paid in out of the small curve', async () => {
  const saver = await caller(server)
  await save(saver, 'Saving', { cashflow: '1000', cashflowFreq: 'Monthly' })
  await save(saver, 'Once')
  const { latest } = await results(saver)
  const [once, saving] = latest
  expect(saving!.growth.at(-1)).toBeCloseTo(once!.growth.at(-1)!, 2)
})

it('leaves out a result that cannot be read, and says so', async () => {
  const eve = await caller(server)
  await save(eve, 'Whole')
  const damaged = await save(eve, 'Damaged')
  await sql`UPDATE backtests SET report = '{"result": {}}' WHERE id = ${damaged.backtest_id}`.execute(
    server.database.database,
  )
  const { latest, left_out } = await results(eve)
  expect([latest.map(({ name }) => name), left_out]).toEqual([['Whole'], 1])
})

it('alerts to what stands and to recent warnings of deployments, and to nothing of others', async () => {
  const eve = await caller(server)
  const accountId = await paperAccountOf(eve)
  const created = await eve.post('/api/deployment/create', {
    deployment_name: 'Core',
    strategy_id: await newStrategy(eve, 'Sixty forty'),
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
  })
  const { id } = created.json<{ deployment: { id: number } }>().deployment
  expect(await alerts(eve)).toEqual([])

  const tell = (level: string, message: string, age: string) =>
    sql`INSERT INTO deployment_activity (deployment_id, at, item)
      VALUES (${id}, now() - ${age}::interval, ${JSON.stringify({ type: 'event', level, message })}::jsonb)`.execute(
      server.database.database,
    )
  await tell('error', 'Long ago.', '8 days')
  await tell('info', 'All is well.', '1 minute')
  expect(await alerts(eve)).toEqual([])
  await tell('warning', 'A run was missed.', '2 days')
  await tell('error', 'The daily loss is over its limit.', '1 day')
  expect(await alerts(eve)).toMatchObject([
    { source: 'deployment', id, name: 'Core', level: 'error', text: 'The daily loss is over its limit.' },
  ])
  await sql`UPDATE brokerage_accounts SET status = 'rejected', status_reason = 'The keys were refused.'
    WHERE id = ${accountId}`.execute(server.database.database)
  expect((await alerts(eve)).map(({ text }) => text)).toEqual([
    'The keys were refused.',
    'The daily loss is over its limit.',
  ])
  expect(await alerts(bob)).toEqual([])
})

it('finds out for a new account whether the provider of prices can be reached', async () => {
  const connections: string[] = []
  const provider = createServer((socket) => {
    connections.push('prices')
    socket.destroy()
  })
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  const address = provider.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const environment = { YAHOO_URL: `http://127.0.0.1:${address.port}`, FRED_CSV_URL: NOWHERE }
  const another = await createTestApp({ environment })
  try {
    await checklist(await caller(another))
    await expect.poll(() => connections).toEqual(['prices'])
  } finally {
    await another.close()
    provider.close()
  }
})
