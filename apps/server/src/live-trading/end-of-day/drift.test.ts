import { Decimal } from '@tradewright/core/decimal'
import { dateOf, type EpochDay, epochDayOf, formatDate, HOUR, MINUTE } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { freeOfCosts, tradingCosts } from '@tradewright/engine/trading/costs'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeOn, engineSignalService } from '../../../test-support/live/engine-signal-service.ts'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import {
  deployForm,
  expectSound,
  liveWorld,
  type LiveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import { LiveRunner } from '../cycle/runner.ts'
import { deploy } from '../deploy/deploy.ts'
import type { LiveDeps } from '../deps.ts'
import { endOfDay } from './end-of-day.ts'
import type { StoredReplay } from '../ports/journal.ts'
import { slippageOf } from './lived-orders.ts'

const [FIRST, LAST] = [dateOf('2019-02-25'), dateOf('2019-03-05')]
/** Without dividends, which the broker of this world does not pay. */
const data: MarketData = {
  ...sampleData(['SPY', 'TLT', 'TB3MS'], dateOf('2018-01-02'), LAST),
  actions: new Map(),
}
const MONTH_END = dateOf('2019-02-28')
const COST_BPS = 5

interface Life {
  /** What the broker charges. */
  readonly costBps?: number
  /** By how much the quote of SPY is above the close on the day of the rebalance. */
  readonly spread?: number
  readonly isAway?: (day: EpochDay) => boolean
  readonly isPaused?: (day: EpochDay) => boolean
  /** What the broker charges on the day after the rebalance, as interest on shares of SPY, by share. */
  readonly interest?: string
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** Sixty to forty over a month's end, at which it is brought back; every fill is at the close. */
async function lived({
  costBps,
  spread = 0,
  isAway = () => false,
  isPaused = () => false,
  interest,
}: Life): Promise<StoredReplay> {
  const costs = costBps === undefined ? freeOfCosts : tradingCosts(costBps)
  const world = await liveWorld({ database, now: nyse.openOf(FIRST) - HOUR, costs })
  const strategy = strategyOf({ SPY: 60, TLT: 40 })
  const request = { ...strategy.request, from: dateOf('2018-01-02'), to: dateOf('2018-12-31'), tradingCostBps: 0 }
  const signalService = engineSignalService(data)
  const deps = { ...world.deps, signalService, holder: randomUUID() }
  const { id } = await started(world, { ...deps, readStrategy: () => ({ ...strategy, request }) })
  const runner = new LiveRunner(deps)
  const goTo = (at: number, day: EpochDay, factor = 1) => {
    world.clock.advance(at - world.clock.now().getTime())
    world.quotes.set('SPY', Decimal.fromNumber(closeOn(data, 'SPY', day) * factor))
    world.quotes.set('TLT', Decimal.fromNumber(closeOn(data, 'TLT', day)))
  }
  for (const day of nyse.sessionsBetween(FIRST, LAST + 1)) {
    // The process comes back after the close.
    const at = isAway(day) ? nyse.closeOf(day) + MINUTE : nyse.closeOf(day) - 30 * MINUTE
    goTo(at - HOUR, day)
    if (isPaused(day)) await controlDeployment(deps, world.userId, id, 'pause')
    goTo(at, day, day === MONTH_END ? 1 + spread : 1)
    await settle(world, runner, day === FIRST ? 3 : 2)
    if (isPaused(day)) await controlDeployment(deps, world.userId, id, 'resume')
    if (interest !== undefined && day === MONTH_END + 1) {
      await charge(world, Decimal.parse(interest))
      await settle(world, runner, 2)
    }
  }
  await runner.close()
  goTo(nyse.closeOf(LAST) + MINUTE, LAST)
  const own = { ...deps, holder: randomUUID() }
  const evening = new LiveRunner(own, { daily: endOfDay(own, signalService) })
  await settle(world, evening, 1)
  await evening.close()
  await expectSound(world)
  const replay = (await deps.database.journal.replay(id))!
  await world.close()
  return replay
}

/** The money is gone, and the activities of the account say what for. */
async function charge({ broker, clock }: LiveWorld, perShare: Decimal): Promise<void> {
  const at = clock.now().getTime()
  const { quantity } = (await broker.inner.positions()).find(({ ticker }) => ticker === 'SPY')!
  broker.inner.payDividend('SPY', perShare.negated())
  broker.cashActivities.push({
    kind: 'cash',
    id: 'borrow-charge',
    at,
    day: epochDayOf(at),
    type: 'INT',
    netAmount: quantity.times(perShare).negated(),
    description: 'Stock borrow fee',
    ticker: 'SPY',
  })
  clock.advance(MINUTE)
}

async function started({ userId, accountId }: LiveWorld, deps: LiveDeps) {
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const settings = settingsOf({ rebalanceFrequency: 'monthly' })
  const { deployment } = await deploy(deps, userId, deployForm({ strategyId, accountId, settings }))
  return controlDeployment(deps, userId, deployment.id, 'start')
}

const pctOf = ({ causes }: StoredReplay, cause: string) => causes!.find((one) => one.cause === cause)!.pct

/**
 * All causes but rounding, the last, are exact: the first purchase is sized by the close before, so its weights are a
 * little off.
 */
function expectAlone(replay: StoredReplay, injected: string | undefined): void {
  expect(replay.error).toBeNull()
  const sum = replay.causes!.reduce((all, { pct }) => all + pct, 0)
  expect(sum).toBeCloseTo(replay.driftPct!, 9)
  for (const { cause, pct } of replay.causes!.slice(0, -1)) {
    if (cause === injected) expect(Math.abs(pct), cause).toBeGreaterThan(1e-5)
    else expect(Math.abs(pct), cause).toBeLessThan(1e-9)
  }
  expect(Math.abs(pctOf(replay, 'rounding'))).toBeLessThan(0.02)
}

describe('the drift of an account that trades at the closes', () => {
  it('is none', async () => {
    const replay = await lived({})
    expectAlone(replay, undefined)
    expect(slippageOf(replay.fills!)).toMatchObject({ feeBps: 0 })
  })

  it('is the fees where the broker takes some', async () => {
    const replay = await lived({ costBps: COST_BPS })
    expectAlone(replay, 'fees')
    expect(pctOf(replay, 'fees')).toBeLessThan(0)
    expect(slippageOf(replay.fills!).feeBps).toBeCloseTo(COST_BPS, 3)
  })

  it('is the run that was missed, with its day', async () => {
    const replay = await lived({ isAway: (day) => day === MONTH_END })
    expectAlone(replay, 'runs_missed')
    expect(replay.causes!.find(({ cause }) => cause === 'runs_missed')!.days).toEqual([formatDate(MONTH_END)])
  })

  it('is the pause, with its day, and no missed run', async () => {
    const replay = await lived({ isPaused: (day) => day === MONTH_END })
    expectAlone(replay, 'paused')
    const daysOf = (wanted: string) => replay.causes!.find(({ cause }) => cause === wanted)!.days
    expect(daysOf('paused')).toEqual([formatDate(MONTH_END)])
    expect(daysOf('runs_missed')).toEqual([])
  })

  it('is what the broker charged for borrowed shares, by its interest in the ledger', async () => {
    const [plain, charged] = [await lived({}), await lived({ interest: '2' })]
    expectAlone(charged, 'borrow_costs')
    // Two dollars a share of about 280, on three fifths of the account.
    const cost = pctOf(charged, 'borrow_costs')
    expect(cost).toBeLessThan(-0.3)
    expect(charged.driftPct! - plain.driftPct!).toBeCloseTo(cost, 9)
    expect(plain.causes!.map(({ cause }) => cause)).not.toContain('borrow_costs')
  })

  it('is the price of a fill that was another than the close, with its order', async () => {
    const replay = await lived({ spread: 0.01 })
    expectAlone(replay, 'fill_price')
    const line = replay.causes!.find(({ cause }) => cause === 'fill_price')!
    expect(line.orders).toEqual(replay.fills!.map(({ id }) => id))
    const order = replay.fills!.find(({ ticker, quote }) => ticker === 'SPY' && quote !== null)!
    expect(Math.sign(line.pct)).toBe(order.side === 'sell' ? 1 : -1)
  })
})
