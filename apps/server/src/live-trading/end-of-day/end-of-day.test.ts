import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { dateOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { mailsOf } from '../../../test-support/live/live-story.ts'
import { type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { changeCapital } from '../capital/change-capital.ts'
import { LiveRunner } from '../cycle/runner.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveSignalService } from '../signals/signal-service.ts'
import { endOfDay } from './end-of-day.ts'

let world: LiveWorld
/** The replayed backtest up to the closes so far. */
let replayed: Awaited<ReturnType<LiveSignalService['replay']>>['points'] = []
let lines: Awaited<ReturnType<LiveSignalService['replay']>>['lines'] = []
let failure: Problem | undefined
eachInAWorld(
  (opened) => {
    world = opened
    failure = undefined
    replayed = []
    lines = []
  },
  { percentages: { SPY: 100 } },
)

function runnerWithDailyWork(): LiveRunner {
  const signalService: LiveSignalService = Object.assign(world.signalService, {
    replay: async () => {
      if (failure) throw failure
      return { points: replayed, lines }
    },
  })
  const deps = { ...world.deps, holder: randomUUID() }
  return new LiveRunner(deps, { leaseSeconds: 30, daily: endOfDay(deps, signalService) })
}

const settings = settingsOf({
  notifications: {
    isEnabled: true,
    emails: ['ann@example.com'],
    events: { trades: false, errors: false, signals: false, daily_summary: true },
  },
})
const summaries = async () => (await mailsOf(world)).filter(({ event }) => event === 'daily_summary')
const close = (date: string) => nyse.closeOf(dateOf(date))

/** Decided half an hour before the close, then polled after it. */
async function session(runner: LiveRunner, price: string, priceAtClose = price): Promise<void> {
  world.quotes.set('SPY', Decimal.parse(price))
  world.toDecision()
  await settle(world, runner, 4)
  world.quotes.set('SPY', Decimal.parse(priceAtClose))
  world.clock.advance(31 * MINUTE)
  await settle(world, runner, 2)
}

describe('after a session', () => {
  it('one summary says what the deployment is worth, what it earned and how far the backtest is', async () => {
    await world.deployed({ settings })
    const runner = runnerWithDailyWork()
    replayed = [{ at: close('2026-03-03'), growth: 1 }]
    await session(runner, '400', '404')
    replayed = [...replayed, { at: close('2026-03-04'), growth: 1.005 }]
    await session(runner, '412')
    expect((await summaries()).map(({ subject }) => subject)).toEqual([
      'Sixty forty live: $10,100.00 on 2026-03-03',
      'Sixty forty live: $10,300.00 on 2026-03-04',
    ])
    // Both left from the first close at 1.01; 1.03 against 1.01 * 1.005.
    expect((await summaries())[1]!.text).toBe(
      'Value: $10,300.00\nProfit and loss: $300.00\nDrift from the replayed backtest: 1.50%',
    )
  })

  it('it is sent once, however often it is polled, and not on days without a session', async () => {
    await world.deployed({ settings })
    const runner = runnerWithDailyWork()
    await session(runner, '400')
    for (let hour = 0; hour < 4; hour++) {
      world.clock.advance(HOUR)
      await runner.tick()
    }
    // Another process takes over: what it finds is done already.
    const other = runnerWithDailyWork()
    world.clock.advance(HOUR)
    await other.tick()
    expect(await summaries()).toHaveLength(1)
    world.clock.advance(Date.parse('2026-03-07T22:00:00Z') - world.clock.now().getTime())
    for (const runnerOfWeekend of [runner, other]) await settle(world, runnerOfWeekend, 2)
    expect((await summaries()).map(({ key }) => key)).toEqual(['summary:2026-03-03', 'summary:2026-03-06'])
  })

  it('a replay that fails is kept as a sentence, and the summary is sent without it', async () => {
    const deployment = await world.deployed({ settings })
    failure = new Problem('unavailable', 'data.away', 'The data provider cannot be reached.')
    await session(runnerWithDailyWork(), '400')
    expect((await summaries())[0]!.text).toBe('Value: $10,000.00\nProfit and loss: $0.00')
    expect(await world.deps.database.journal.replay(deployment.id)).toMatchObject({
      error: 'The data provider cannot be reached.',
      driftPct: null,
    })
  })

  it('money that is paid in is neither profit nor drift', async () => {
    const deployment: Deployment = await world.deployed({ settings })
    const runner = runnerWithDailyWork()
    replayed = [{ at: close('2026-03-03'), growth: 1 }]
    await session(runner, '400')
    const change = { type: 'CONTRIBUTION', amount: '5000', note: undefined } as const
    await changeCapital(world.deps, world.userId, deployment.id, change)
    replayed = [...replayed, { at: close('2026-03-04'), growth: 1 }]
    await session(runner, '400')
    expect((await summaries()).at(-1)!.text).toBe(
      'Value: $15,000.00\nProfit and loss: $0.00\nDrift from the replayed backtest: 0.00%',
    )
  })

  it('the causes of the drift add up to it, and what no other explains is rounding and idle cash', async () => {
    const deployment = await world.deployed({ settings })
    const runner = runnerWithDailyWork()
    replayed = [{ at: close('2026-03-03'), growth: 1 }]
    await session(runner, '400', '404')
    replayed = [...replayed, { at: close('2026-03-04'), growth: 1.005 }]
    lines = [{ cause: 'fees', growth: -0.001, orders: ['one'], days: [] }]
    await session(runner, '412')
    const { driftPct, causes, fills } = (await world.deps.database.journal.replay(deployment.id))!
    expect(causes!.map(({ cause }) => cause)).toEqual(['fees', 'rounding'])
    expect(causes![0]!.pct).toBeCloseTo(-0.101, 12)
    expect(causes!.reduce((sum, { pct }) => sum + pct, 0)).toBeCloseTo(driftPct!, 9)
    // Decided by the newest close, and filled at the quote of that moment.
    expect(fills).toMatchObject([
      { ticker: 'SPY', side: 'buy', price: 400, decisionPrice: 400, quote: null, costBps: 0 },
    ])
  })
})
