import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LiveTradingUser, openLiveTrading } from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
beforeAll(async () => {
  live = await openLiveTrading()
})
afterAll(() => live.server.close())

it('the orders of a new deployment are previewed without a name, and nothing is created', async () => {
  const before = (await live.ann.get('/api/deployment/list')).json<{ deployments: unknown[] }>().deployments
  const preview = await live.ann.post('/api/deployment/preview-new', live.form({ deployment_name: '' }))
  expect(preview.statusCode, preview.body).toBe(200)
  expect(preview.json()).toMatchObject({
    decision: { reason: 'The deployment is not invested yet.', synthetic: true },
    orders: [
      { symbol: 'SPY', side: 'buy', notional: 600 },
      { symbol: 'AGG', side: 'buy', notional: 300 },
    ],
    market_open: true,
    next_check_at: '2026-03-04T17:30:00.000Z',
  })
  const after = (await live.ann.get('/api/deployment/list')).json<{ deployments: unknown[] }>().deployments
  expect(after).toEqual(before)
  const tooMuch = await live.ann.post('/api/deployment/preview-new', live.form({ capital_policy_value: 1e6 }))
  expect(tooMuch.statusCode).toBe(400)
})

it('a running deployment is checked at once; others are told to start first', async () => {
  const { id } = await live.created()
  const stopped = await live.ann.post(`/api/deployment/${id}/check`)
  expect(stopped.statusCode).toBe(409)
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  const asked = await live.ann.post(`/api/deployment/${id}/check`)
  expect(asked.json()).toMatchObject({ outcome: 'due', next_run_at: '2026-03-04T16:30:00.000Z' })
  expect((await live.ann.post(`/api/deployment/${id}/check`)).json()).toMatchObject({ outcome: 'already_due' })
})

interface Replay {
  points: { value: number }[]
  orders: { symbol: string; side: string; value: number }[]
  end_value: number
}

it('the last month is replayed with the capital, before and after it is deployed, and kept with neither', async () => {
  const answer = await live.ann.post('/api/deployment/replay-new', live.form({ deployment_name: '' }))
  expect(answer.statusCode, answer.body).toBe(200)
  const { replay } = answer.json<{ replay: Replay }>()
  expect(replay).toMatchObject({
    start_date: '2026-02-02',
    end_date: '2026-03-03',
    start_value: 1000,
    trained_until: null,
    synthetic_tickers: expect.arrayContaining(['SPY', 'AGG']),
  })
  expect(replay.points.length).toBeGreaterThan(15)
  expect(replay.points.at(-1)!.value).toBe(replay.end_value)
  const [spy, agg] = ['SPY', 'AGG'].map((symbol) => replay.orders.findLast((order) => order.symbol === symbol)!)
  expect(spy).toMatchObject({ side: 'buy', value: expect.closeTo(600, 0) })
  expect(agg).toMatchObject({ side: 'buy', value: expect.closeTo(300, 0) })
  const { id } = await live.created()
  const later = await live.ann.post(`/api/deployment/${id}/replay-month`)
  expect(later.json<{ replay: Replay }>().replay).toEqual(replay)
  const overview = await live.ann.get(`/api/deployment/${id}/overview`)
  expect(overview.json()).toMatchObject({ equity: [], replay: null, orders: [], last_decision: null })
})

it.each(['preview-new', 'replay-new'])(
  'a user has one %s at work and a few that wait, since each may take a thread; further ones wait or are refused',
  async (call) => {
    const forms = Array.from({ length: 12 }, (_, i) => live.form({ capital_policy_value: 900 + i }))
    const answers = await Promise.all(forms.map((form) => live.ann.post(`/api/deployment/${call}`, form)))
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.length).toBeLessThanOrEqual(7)
    for (const answer of refused) {
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([429, 'request.turns'])
    }
  },
)
