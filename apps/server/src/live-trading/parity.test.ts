import { dateOf, epochDayOf, formatDate } from '@tradewright/core/time'
import type { z } from 'zod'
import type { getDeploymentDetails } from '@tradewright/contract/live-trading'
import type { getDeploymentOverview, getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { loadModel } from '@tradewright/engine/models/catalogue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../test-support/caller.ts'
import { type LiveServer, liveServer } from '../../test-support/live/live-server.ts'
import { marketDataFor } from '../backtests/market-data-for.ts'
import type { Decision } from './decision.ts'

type Overview = z.output<typeof getDeploymentOverview.answer>
type Details = z.output<typeof getDeploymentDetails.answer>

/** Over the end of a month, so that a monthly rebalance is due. */
const FIRST = '2026-02-24'
const SESSIONS = 6

let live: LiveServer
let ann: Caller
let momentum: number
let sixtyForty: number
const decisions = new Map<number, Decision[]>()

const range = { startDate: '2023-01-03', endDate: '2025-12-31', dataProvider: 'sample', dataGranularity: 'daily' }
const ml = {
  ...range,
  mlModelType: 'Random Forest',
  n_estimators: 15,
  seed: 7,
  features: [
    { id: 7, params: { ticker: 'SPY', window: 3 } },
    { id: 1, params: { ticker: 'QQQ', window: 1 } },
    { id: 1, params: { ticker: 'SPY', window: 2 } },
  ],
  target: { id: 1, params: { ticker: 'SPY' } },
  signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
  signal0Allocations: [{ ticker: 'AGG', allocation: 100 }],
}
const allocation = {
  ...range,
  allocations: [
    { ticker: 'SPY', allocation: 60 },
    { ticker: 'AGG', allocation: 30 },
    { ticker: 'CASHX', allocation: 10 },
  ],
}

/** A strategy is saved and deployed by the calls of the screens. */
async function deployed(accountId: number, name: string, type: string, config: object, more: object): Promise<number> {
  const strategy = await ann.post('/api/strategies', { name, strategy_type: type, config })
  expect(strategy.statusCode, strategy.body).toBe(200)
  const answer = await ann.post('/api/deployment/create', {
    deployment_name: name,
    strategy_id: strategy.json<{ id: number }>().id,
    alpaca_account_id: accountId,
    capital_policy_value: 20_000,
    trading_frequency_type: 'end_of_day',
    end_of_day_minutes_before_close: 30,
    rebalance_threshold: 0,
    auto_start: true,
    ...more,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ deployment: { id: number } }>().deployment.id
}

beforeAll(async () => {
  live = await liveServer(FIRST)
  ann = await caller(live.server)
  const accountId = (await ann.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
  momentum = await deployed(accountId, 'Momentum', 'ML', ml, { rebalance_frequency: 'none' })
  sixtyForty = await deployed(accountId, 'Sixty forty', 'Asset Allocation', allocation, {
    rebalance_frequency: 'monthly',
  })
  const { database } = live.worker.liveTrading.deps
  for (let session = 0; session < SESSIONS; session++) {
    live.toDecision()
    await live.work(4)
    for (const id of [momentum, sixtyForty]) {
      const latest = await database.decisions.latest(id)
      expect(latest, `${id} decided in session ${session}`).toBeDefined()
      decisions.set(id, [...(decisions.get(id) ?? []), latest!])
    }
    if (session > 0 && session < SESSIONS - 1) continue
    live.toClose()
    await live.work(1)
  }
})
afterAll(() => live.close())

const overview = async (id: number) => (await ann.get(`/api/deployment/${id}/overview`)).json<Overview>()
const dateOfDecision = ({ decidedFor }: Decision) => formatDate(epochDayOf(decidedFor.getTime()))
const traded = ({ outcome }: Decision) => outcome !== 'held'

/** The backtest of the same days on the same data, by the calls of the Backtest Studio's own engine. */
async function backtested(id: number, from: number | undefined) {
  const { deps } = live.worker.liveTrading
  const deployment = (await deps.database.deployments.byId(id))!
  const { settings, strategy, userId } = deployment
  const request: BacktestRequest = {
    ...strategy.request,
    from: from ?? strategy.request.from,
    to: epochDayOf(live.clock.now().getTime()),
    rebalanceFrequency: settings.rebalanceFrequency,
  }
  const plan = planBacktest(request)
  const { data } = await marketDataFor(plan, {
    userId,
    provider: 'sample',
    source: live.worker.marketData.seriesFor,
    signal: new AbortController().signal,
  })
  const stored = await deps.database.models.bytes(id, 1)
  const model = stored && loadModel(stored)
  return runBacktest(plan, data, async ({ columns, predictRows, wantsImportances }) => ({
    probabilities: model!.predict(columns, predictRows),
    importances: wantsImportances ? model!.importances() : undefined,
  }))
}

describe('a deployment of a model, through the real signalService, compute threads and paper account', () => {
  it('is trained once, decides every session, and its orders are filled and booked', async () => {
    const page = await overview(momentum)
    expect(page.health).toMatchObject({ light: 'green', books_agree: true })
    expect(page.model).toMatchObject({ synthetic: true, training_start: expect.stringMatching(/^2023-/) })
    expect(decisions.get(momentum)!.map(dateOfDecision)).toEqual(
      [...nyse.sessionsBetween(dateOf(FIRST), dateOf(FIRST) + 20)].slice(0, SESSIONS).map(formatDate),
    )
    expect(page.orders.length).toBeGreaterThan(0)
    expect(new Set(page.orders.map(({ state }) => state))).toEqual(new Set(['filled']))
    const { deployment } = (await ann.get(`/api/deployment/${momentum}/details?page_size=100`)).json<Details>()
    const types = deployment.ledger_entries.map(({ entry_type: type }) => type)
    const trades = types.filter((type) => type === 'TRADE_BUY' || type === 'TRADE_SELL')
    expect(trades).toHaveLength(page.orders.length)
    expect(types.filter((type) => type === 'FEE')).toHaveLength(page.orders.length)
    expect(types.filter((type) => type === 'SNAPSHOT')).toHaveLength(SESSIONS)
    const worth = page.positions.reduce((sum, { market_value: value }) => sum + (value ?? 0), page.cash)
    expect(worth).toBeCloseTo(page.value, 6)
  })

  it('explains its last decision: signal, probability, and the features that moved it, strongest first', async () => {
    const { last_decision: last, deployment } = await overview(momentum)
    expect(deployment.synthetic).toBe(true)
    expect(deployment.synthetic_tickers).toContain('SPY')
    expect(last?.synthetic_tickers).toEqual(deployment.synthetic_tickers)
    const { signal } = decisions.get(momentum)!.at(-1)!
    const { probability } = signal.prediction!
    expect(last).toMatchObject({
      signal: probability > 0.5 ? 1 : 0,
      signal_type: probability > 0.5 ? 'Buy' : 'Sell',
      probability: probability > 0.5 ? probability : 1 - probability,
      unit: 'probability',
      synthetic: true,
      target_weights: [{ symbol: probability > 0.5 ? 'SPY' : 'AGG', weight: 1 }],
    })
    const { influences, base } = last!
    expect(influences).toHaveLength(3)
    const strengths = influences.map(({ contribution }) => Math.abs(contribution))
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a))
    expect(influences.reduce((sum, { contribution }) => sum + contribution, base!)).toBeCloseTo(probability, 9)
    expect(influences.map(({ feature }) => feature).join()).toMatch(/SPY/)
  })

  it('charges each fee once, and nothing moves in the account without an order', async () => {
    const { rows } = await live.server.foundation.pool.query<{ entry_type: string; note: string }>(
      "SELECT entry_type, note FROM ledger_entries WHERE entry_type LIKE 'EXTERNAL%'",
    )
    expect(rows).toEqual([])
  })
})

describe('replayed live decisions equal the backtest’s on the same data', () => {
  it('for ML: every probability to the last digit, and trades on the same days', async () => {
    const { ml: said, curve, trades } = await backtested(momentum, undefined)
    const own = decisions.get(momentum)!
    for (const decision of own) {
      // Before the close of a session the bar of the session before is the newest that is known.
      const known = nyse.previousSession(epochDayOf(decision.decidedFor.getTime()))
      const bar = curve.days.indexOf(known)
      expect(decision.signal.prediction!.probability, formatDate(known)).toBe(said!.probabilities[bar])
      expect(decision.signal.prediction!.signal).toBe(said!.signals[bar])
    }
    expect(new Set(own.map(({ signal }) => signal.prediction!.signal)).size).toBe(2)
    const simulated = new Set(trades.map(({ timestamp }) => formatDate(epochDayOf(timestamp))))
    const later = own.slice(1)
    expect(later.filter(traded).map(dateOfDecision)).toEqual(
      later.map(dateOfDecision).filter((date) => simulated.has(date)),
    )
  })

  it('for Asset Allocation: the same days and the same weights', async () => {
    const { trades } = await backtested(sixtyForty, dateOf(FIRST))
    const simulated = [...new Set(trades.map(({ timestamp }) => formatDate(epochDayOf(timestamp))))]
    const own = decisions.get(sixtyForty)!
    expect(own.filter(traded).map(dateOfDecision)).toEqual(simulated)
    expect(simulated).toEqual([FIRST, '2026-02-27'])
    for (const { signal } of own) {
      expect(signal.weights.map(({ ticker, weight }) => [ticker, weight])).toEqual([
        ['SPY', 0.6],
        ['AGG', 0.3],
      ])
    }
  })

  it('and after each session the drift between the two is on the page', async () => {
    for (const id of [momentum, sixtyForty]) {
      const { replay, equity } = await overview(id)
      expect(replay).toMatchObject({ error: null })
      expect(replay!.points).toHaveLength(SESSIONS)
      expect(replay!.points[0]!.growth).toBeCloseTo(
        equity.find(({ timestamp }) => timestamp >= `${FIRST}T21`)!.growth,
        12,
      )
      const drift = (equity.at(-1)!.growth - replay!.points.at(-1)!.growth) * 100
      expect(replay!.drift_pct).toBeCloseTo(drift, 9)
      // Fills half an hour before the close and fills at the open or close are not the same price.
      expect(Math.abs(drift)).toBeLessThan(3)
    }
  })
})

it('the cards show how each fared, a value a day, and that the market is closed until the morning', async () => {
  const glance = (await ann.get('/api/deployment/glance')).json<z.output<typeof getDeploymentsAtAGlance.answer>>()
  expect(glance.market).toEqual({
    is_open: false,
    next_open: '2026-03-04T14:30:00.000Z',
    next_close: '2026-03-04T21:00:00.000Z',
  })
  const { equity } = await overview(momentum)
  const own = glance.recent.find(({ deployment_id: id }) => id === momentum)!
  expect(own.growth).toHaveLength(SESSIONS)
  expect(own.growth.at(-1)).toBe(equity.at(-1)!.growth)
  expect(glance.recent).toHaveLength(2)
})

it('a walk-forward strategy is trained on a compute thread before it decides, and its page names the version', async () => {
  const windows = { walkForwardEnabled: true, wfTrainWindowPct: 40, wfTestWindowPct: 10, wfStepSizePct: 10 }
  const accountId = (await overview(momentum)).deployment.alpaca_account_id!
  const id = await deployed(accountId, 'Walk forward', 'ML', { ...ml, ...windows }, { rebalance_frequency: 'none' })
  await live.work(2)
  const page = await overview(id)
  expect(page.deployment.retraining_schedule).toBe('walk_forward')
  expect(page.retraining).toMatchObject({ schedule: 'walk_forward', problem: null })
  expect(Date.parse(page.retraining.next_training_at!)).toBeGreaterThan(live.clock.now().getTime())
  expect(page.model).toMatchObject({ version: page.model_versions.length })
  // 40 % of three years before the window, at the end of which the deployment stands.
  const [newest] = page.model_versions
  expect(newest!.training_start).toMatch(/^202[45]/)
  expect(newest!.decides_after! >= '2025-12').toBe(true)
  live.toDecision()
  await live.work(3)
  expect((await overview(id)).last_decision).toMatchObject({ model_version: newest!.version })
  const refused = await ann.post('/api/deployment/create', {
    deployment_name: 'No windows',
    strategy_id: (await overview(momentum)).deployment.strategy_id,
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
    retraining_schedule: 'walk_forward',
  })
  expect(refused.statusCode).toBe(400)
  expect(refused.json<{ error: string }>().error).toContain('has no walk-forward windows')
})
