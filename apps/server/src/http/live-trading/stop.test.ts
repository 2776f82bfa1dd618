import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { newStrategy, paperAccountOf } from '../../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'

interface Overview {
  readonly cash: number
  readonly positions: readonly { symbol: string }[]
  readonly orders: readonly { side: string; symbol: string; state: string }[]
  readonly deployment: { status: string; liquidating: boolean }
}

let live: LiveServer
let ann: Caller
let id: number
beforeAll(async () => {
  live = await liveServer('2026-03-04')
  ann = await caller(live.server)
  const strategy = await newStrategy(ann, 'Sixty forty')
  const created = await ann.post('/api/deployment/create', {
    deployment_name: 'On paper',
    strategy_id: strategy,
    alpaca_account_id: await paperAccountOf(ann),
    capital_policy_value: 1000,
    trading_frequency_type: 'end_of_day',
    auto_start: true,
  })
  expect(created.statusCode, created.body).toBe(200)
  id = created.json<{ deployment_id: number }>().deployment_id
  live.toDecision()
  await live.work(6)
  expect((await overview()).positions.map(({ symbol }) => symbol).sort()).toEqual(['AGG', 'SPY'])
})
afterAll(() => live.close())

const overview = async () => (await ann.get(`/api/deployment/${id}/overview`)).json<Overview>()

it('refuses a word that is no choice for the positions', async () => {
  const answer = await ann.post(`/api/deployment/${id}/control`, { action: 'stop', positions: 'burn' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ error: string }>().error).toContain('Positions must be one of keep, sell.')
})

it('a stop of a paper deployment sells everything: after the close its orders wait for the next open', async () => {
  live.toClose()
  const answer = await ann.post(`/api/deployment/${id}/control`, { action: 'stop', positions: 'sell' })
  expect(answer.json()).toMatchObject({ success: true, deployment: { status: 'stopped', liquidating: true } })
  await live.work(3)
  const waiting = await overview()
  expect(waiting.orders.filter(({ side }) => side === 'sell')).toMatchObject([
    { symbol: 'SPY', state: 'accepted' },
    { symbol: 'AGG', state: 'accepted' },
  ])
  const activity = await ann.get(`/api/deployment/${id}/activity?limit=20`)
  expect(activity.body).toContain('The market is closed: the orders wait at the broker for its next open.')

  live.toDecision()
  await live.work(4)
  const sold = await overview()
  expect(sold.positions).toEqual([])
  expect(sold.deployment).toMatchObject({ status: 'stopped', liquidating: false })
  expect(sold.cash).toBeGreaterThan(900)
  expect(sold.orders.filter(({ side }) => side === 'sell').map(({ state }) => state)).toEqual(['filled', 'filled'])
})
