import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LiveTradingUser, openLiveTrading } from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
beforeAll(async () => {
  live = await openLiveTrading()
})
afterAll(() => live.server.close())

it('a deployment shows a page with everything, and previews the next decision on made-up prices', async () => {
  const { id } = await live.created()
  const overview = await live.ann.get(`/api/deployment/${id}/overview`)
  expect(overview.json()).toMatchObject({
    value: 1000,
    cash: 1000,
    equity: [],
    replay: null,
    last_decision: null,
    orders: [],
    health: { light: 'idle', is_attended: false },
    emergency_stopped: false,
  })
  const preview = await live.ann.post(`/api/deployment/${id}/preview`)
  expect(preview.statusCode, preview.body).toBe(200)
  expect(preview.json()).toMatchObject({
    decision: {
      outcome: 'dry_run',
      synthetic: true,
      synthetic_tickers: ['AGG', 'SPY'],
      reason: 'The deployment is not invested yet.',
    },
    orders: [
      { symbol: 'SPY', side: 'buy', notional: 600 },
      { symbol: 'AGG', side: 'buy', notional: 300 },
    ],
  })
})

it('a deployment sets limits and dry run while it runs, and stops everything at once', async () => {
  const { id } = await live.created()
  await live.ann.post(`/api/deployment/${id}/control`, { action: 'start' })
  const safety = await live.ann.put(`/api/deployment/${id}/safety`, { dry_run: true, max_daily_loss_pct: 3 })
  expect(safety.json()).toMatchObject({
    deployment: { dry_run: true, max_daily_loss_pct: 3, max_drawdown_pct: null },
  })
  const stop = await live.ann.post('/api/deployment/emergency-stop')
  expect(stop.json<{ stopped: number }>().stopped).toBeGreaterThan(0)
  expect((await live.get(id)).status).toBe('stopped')
  expect((await live.ann.get('/api/deployment/notifications')).json()).toEqual({
    success: true,
    configured: false,
    from: null,
  })
  expect((await live.ann.post('/api/deployment/notifications/test', { email: 'ann@example.com' })).statusCode).toBe(409)
})
