import type { RecentRun } from '@tradewright/contract/backtests'
import type { DeployableStrategy } from '@tradewright/contract/live-trading-fields'
import type { StrategyPerformance } from '@tradewright/contract/strategies'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { chatOf, responseOf } from '../../../test-support/chat.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { optimizationForm, runsOf } from '../../../test-support/optimization.ts'
import { callTool, connectAgent, makeKey } from '../../../test-support/mcp-client.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let ann: RegisteredUser
beforeAll(async () => {
  server = await createTestApp()
  ann = await register(server)
  const gold = { 'ticker[]': ['GLD?FB=SPY'], 'allocation[]': ['100'] }
  await save('Gold', { ...gold, startDate: '2004-06-01', endDate: '2005-06-01' })
  // The fund has prices of its own on every day of this one.
  await save('Later', { ...gold, startDate: '2010-01-04', endDate: '2011-06-01' })
  await save('Plain')
})
afterAll(() => server.close())

async function save(name: string, more: Record<string, string | string[]> = {}) {
  const fields = { ...allocationForm, ...more, strategyName: name, saveStrategy: 'true' }
  const form = { ...fields, saveBacktest: 'true', backtestName: name }
  const answer = await postBacktest(server, ann, form)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
}

const get = (url: string) => server.app.inject({ url, headers: headersOf(ann) })
const marked = [{ ticker: 'GLD?FB=SPY', stand_ins: [{ ticker: 'SPY' }] }]

it('recent runs say whose prices stood in for a ticker on their days', async () => {
  const { runs } = (await get('/api/backtests/recent')).json<{ runs: RecentRun[] }>()
  expect(runs.map((run) => run.spliced_tickers)).toMatchObject([[], [], marked])
})

it('the performance of a strategy says it of its latest backtest', async () => {
  const { all } = (await get('/api/strategy-performance')).json<{ all: StrategyPerformance[] }>()
  const byName = new Map(all.map((one) => [one.strategy_name, one.spliced_tickers]))
  expect(byName.get('Gold')).toMatchObject(marked)
  expect([byName.get('Later'), byName.get('Plain')]).toEqual([[], []])
})

it('a strategy to deploy says it of its total return', async () => {
  const { strategies } = (await get('/api/deployment/strategies')).json<{ strategies: DeployableStrategy[] }>()
  const byName = new Map(strategies.map(({ name, latest_performance }) => [name, latest_performance!.spliced_tickers]))
  expect(byName.get('Gold')).toMatchObject(marked)
  expect([byName.get('Later'), byName.get('Plain')]).toEqual([[], []])
})

it('programs and the assistant are told whose prices they were', async () => {
  const address = await server.address()
  const agent = await connectAgent(address, await makeKey(server, ann, ['read']))
  const { data: recent } = await callTool(agent, 'list_recent_runs')
  const { data: listed } = await callTool(agent, 'list_strategies')
  await agent.close()
  const fallbacks = [expect.stringMatching(/^GLD is SPY until 2004-11-\d\d$/)]
  expect(recent['runs']).toMatchObject([
    { fallback_prices: [] },
    { fallback_prices: [] },
    { fallback_prices: fallbacks },
  ])
  expect(listed['strategies']).toContainEqual(
    expect.objectContaining({
      name: 'Gold',
      latest_backtest: expect.objectContaining({ fallback_prices: fallbacks }) as unknown,
    }),
  )
  const said = responseOf(await chatOf(server, ann).ask('What is my best strategy?'))
  expect(said).toMatch(/\*\*Fallback prices:\*\* GLD is SPY until 2004-11-\d\d\. The figures have days/)
  expect(said).toContain('with fallback prices')
})

it('the list of optimizer runs says it of runs with a result', async () => {
  const runs = runsOf(server, ann)
  const early = { start_date: '2003-01-02', end_date: '2006-12-29', related_assets: [] }
  const gold = { ...optimizationForm, ...early, signal1_allocations: [{ ticker: 'GLD?FB=SPY', allocation: 100 }] }
  const id = await runs.start(gold)
  await expect.poll(async () => (await runs.get(id)).status).toBe('completed')
  expect(await runs.list()).toMatchObject([{ id, spliced_tickers: marked }])
})
