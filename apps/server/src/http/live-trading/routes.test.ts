import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import {
  errorOf,
  type LiveTradingUser,
  newStrategy,
  openLiveTrading,
  type WireDeployment,
} from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
beforeAll(async () => {
  live = await openLiveTrading()
})
afterAll(() => live.server.close())

it('a deployment moves by its table and says no to the rest [LIVE-155] [LIVE-168]', async () => {
  const { id } = await live.created()
  const control = (action: string) => live.ann.post(`/api/deployment/${id}/control`, { action })
  expect((await control('pause')).statusCode).toBe(409)
  expect((await control('explode')).statusCode).toBe(400)
  for (const [action, status] of [
    ['start', 'running'],
    ['pause', 'paused'],
    ['resume', 'running'],
    ['stop', 'stopped'],
    ['start', 'running'],
  ]) {
    expect((await control(action!)).json()).toMatchObject({ success: true, deployment: { status } })
  }
  expect((await live.get(id))['next_run_at']).not.toBeNull()
})

it('a deployment is edited while it does not run, and keeps its capital [LIVE-121] [LIVE-159] [LIVE-171]', async () => {
  const { id } = await live.created()
  const edit = (more: object) => live.ann.put(`/api/deployment/${id}/update`, live.form(more))
  const changed = await edit({
    deployment_name: 'Renamed',
    rebalance_threshold: 7.5,
    holdout_train_size: 250,
    training_mode: 'holdout',
    notification_emails: [' ann@example.com', 'ann@example.com'],
  })
  expect(changed.json()).toMatchObject({
    success: true,
    error: null,
    deployment: {
      deployment_name: 'Renamed',
      rebalance_threshold: 7.5,
      holdout_train_size: 99,
      notification_emails: ['ann@example.com'],
      committed_capital: 1000,
    },
  })
  expect(errorOf(await edit({ ticker_mapping: { SPY: 'NOSUCH' } }))).toMatch(
    /^Cannot update with invalid ticker mappings/,
  )
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  const running = await edit({})
  expect(running.statusCode).toBe(409)
  expect(errorOf(running)).toContain('Only stopped or paused deployments can be edited')
})

it('a deployment is listed with the settings that cards read from its mapping [LIVE-085] [LIVE-149]', async () => {
  await live.created({ trading_frequency_type: 'end_of_day', end_of_day_minutes_before_close: 15 })
  const { deployments } = (await live.ann.get('/api/deployment/list')).json<{
    deployments: WireDeployment[]
  }>()
  expect(deployments[0]).toMatchObject({
    ticker_mapping: {
      trading_frequency_type: 'end_of_day',
      end_of_day_minutes_before_close: 15,
      bypass_market_hours: false,
    },
  })
})

it('a deployment is deleted when it does not run, and gives its money back [LIVE-156] [LIVE-172] [LIVE-173]', async () => {
  const { id } = await live.created()
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  expect((await live.ann.delete(`/api/deployment/${id}/delete`)).statusCode).toBe(409)
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  const gone = await live.ann.delete(`/api/deployment/${id}/delete`)
  expect(gone.json()).toMatchObject({ success: true, message: expect.stringContaining('Live one') })
  expect((await live.ann.get(`/api/deployment/${id}`)).statusCode).toBe(404)
  expect((await live.ann.get(`/api/deployment/${id}/details`)).statusCode).toBe(404)
})

it('a deployment keeps its strategy and its account from being deleted', async () => {
  const strategy = await newStrategy(live.ann, 'Deployed')
  const { id } = await live.created({ strategy_id: strategy })
  const refused = await live.ann.delete(`/api/strategies/${strategy}`)
  expect(refused.statusCode).toBe(409)
  expect(errorOf(refused)).toContain('Live one')
  expect((await live.ann.delete(`/api/alpaca/accounts/${live.accountId}`)).statusCode).toBe(409)
  await live.ann.delete(`/api/deployment/${id}/delete`)
  expect((await live.ann.delete(`/api/strategies/${strategy}`)).statusCode).toBe(200)
})

it('a deployment belongs to one user [LIVE-146] [LIVE-147] [LIVE-148]', async () => {
  const { id } = await live.created()
  const bob = await caller(live.server)
  const calls = [
    bob.get(`/api/deployment/${id}`),
    bob.get(`/api/deployment/${id}/details`),
    bob.get(`/api/deployment/${id}/activity`),
    bob.get(`/api/deployment/${id}/logs/tail`),
    bob.get(`/api/deployment/${id}/overview`),
    bob.post(`/api/deployment/${id}/control`, { action: 'start' }),
    bob.put(`/api/deployment/${id}/update`, live.form()),
    bob.delete(`/api/deployment/${id}/delete`),
    bob.post(`/api/deployment/${id}/contributions`, { amount: 1, contribution_type: 'WITHDRAWAL' }),
    bob.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 5 }),
    bob.post(`/api/deployment/${id}/emergency-stop`),
    bob.get(`/api/deployment/account/${live.accountId}/positions`),
    bob.post('/api/asset/validate', { ticker: 'SPY', leverage: 1, account_id: live.accountId }),
    bob.post('/api/deployment/create', live.form({ strategy_id: await newStrategy(bob, 'Bob’s') })),
  ]
  for (const answer of await Promise.all(calls)) expect(answer.statusCode).toBe(404)
  const signedOut = await live.server.app.inject({ method: 'GET', url: '/api/deployment/list' })
  expect(signedOut.statusCode).toBe(401)
})

it('logs and activity are there, newest activity first, lines in the format of the log [LIVE-097] [LIVE-164] [LIVE-165]', async () => {
  const { id } = await live.created()
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
  const { activity } = (await live.ann.get(`/api/deployment/${id}/activity?limit=100`)).json<{
    activity: object[]
  }>()
  expect(activity).toMatchObject([
    { type: 'event', message: expect.stringContaining('Stopped') },
    {
      type: 'event',
      message: expect.stringMatching(/^Started\. The first check is on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    },
    { type: 'event', message: 'Created with $1,000.00 in Paper Account (paper money).' },
  ])
  const tail = async (count: number) =>
    (await live.ann.get(`/api/deployment/${id}/logs/tail?lines=${count}`)).json<{ lines: string[] }>().lines
  const lines = await tail(2)
  expect(lines).toHaveLength(2)
  const all = await tail(100)
  expect(all.length).toBeGreaterThan(2)
  expect(lines, 'the newest ones').toEqual(all.slice(-2))
  for (const line of lines) {
    expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - \[INFO\] - live_trading - [\w$]+:\d+ - Status: /)
  }
})
