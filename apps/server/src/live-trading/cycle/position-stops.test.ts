import { Decimal } from '@tradewright/core/decimal'
import { DAY, MINUTE } from '@tradewright/core/time'
import type { StopType } from '@tradewright/core/backtest-settings'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { deploymentOf, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let database: TestDatabase
let world: LiveWorld
let runner: LiveRunner
let id: number
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const price = (ticker: string, value: string) => void world.quotes.set(ticker, Decimal.parse(value))
const sales = async () =>
  (await world.stage.ordersTaken()).filter(({ side }) => side === 'sell').map(({ ticker }) => ticker)

/** $6,000 of SPY at 400 and $4,000 of TLT at 90, with a stop each. */
async function withStop(type: StopType, pct: number): Promise<void> {
  const story = await invested(world)
  runner = story.runner
  id = story.deployment.id
  const { strategy, settings } = await deploymentOf(world, id)
  await world.deps.database.deployments.change(id, {
    strategy: { ...strategy, request: { ...strategy.request, stopType: type, stopPct: pct } },
    settings: { ...settings, rebalanceFrequency: 'monthly' },
  })
  await minutes(2)
}

async function minutes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    world.clock.advance(MINUTE)
    await settle(world, runner, 3)
  }
}

describe.each([
  { stage: undefined, played: 'a broker behind the port' },
  { stage: alpacaStage, played: 'Alpaca’s HTTP' },
])('the stops of a deployment, with $played', ({ stage }) => {
  beforeEach(async () => {
    world = await liveWorld({ database, ...(stage && { stage }) })
  })
  afterEach(async () => {
    expect(world.stage.violations).toEqual([])
    await world.close()
  })

  it('sell one position at its stop and leave the others, and buy nothing back until the next rebalance', async () => {
    await withStop('fixed', 5)
    price('SPY', '380.5')
    await minutes(2)
    expect(await sales()).toEqual([])
    price('SPY', '379')
    await minutes(2)
    expect(await sliceOf(world, id)).toEqual(['5685', '44.444444444 TLT'])
    expect(await outcomeOf(world, id)).toBe('done')
    expect((await activityOf(world, id)).join('\n')).toContain(
      'The fixed stop of 5%: SPY at $379.00 has come to $380.00 and is sold.',
    )
    expect((await deploymentOverview(world.deps, world.userId, id)).health.reasons.join(' ')).toMatch(
      /SPY was sold at its stop on 2026-03-0\d \d\d:\d\d UTC\. It stays so until the signal changes or the next rebalance is due\./,
    )
    price('SPY', '410')
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(['5685', '44.444444444 TLT'])
    world.clock.advance(28 * DAY)
    world.toDecision()
    await settle(world, runner, 6)
    expect((await sliceOf(world, id)).join(' ')).toMatch(/SPY/)
    expect((await deploymentOf(world, id)).heldOrders).toBeUndefined()
    await expectSound(world)
  })
})

describe('a stop', () => {
  beforeEach(async () => {
    world = await liveWorld({ database, stage: alpacaStage })
  })
  afterEach(() => world.close())

  it('trails the best price that was seen, across a split', async () => {
    await withStop('trailing', 5)
    price('SPY', '450')
    await minutes(2)
    price('SPY', '430')
    await minutes(1)
    expect(await sales()).toEqual([])
    world.signalService.splitsOf = { SPY: ['2'] }
    world.stage.multiplyShares('SPY', '2')
    price('SPY', '215')
    await minutes(3)
    expect((await sliceOf(world, id)).slice(1)).toEqual(['30 SPY', '44.444444444 TLT'])
    expect((await deploymentOf(world, id)).stops?.['SPY']).toMatchObject({ held: '30', entry: 200, best: 225 })
    price('SPY', '213')
    await minutes(2)
    expect((await sliceOf(world, id)).slice(1)).toEqual(['44.444444444 TLT'])
    await expectSound(world)
  })

  it('is not reached by a price that the quote contradicts', async () => {
    await withStop('fixed', 5)
    const { quote } = world.stage.broker
    Object.assign(world.stage.broker, {
      quote: async () => ({
        bid: Decimal.parse('399.9'),
        ask: Decimal.parse('400.1'),
        at: world.clock.now().getTime(),
      }),
    })
    price('SPY', '200')
    await minutes(3)
    expect(await sales()).toEqual([])
    expect((await deploymentOf(world, id)).healthProblem?.sentence).toContain('which its quote contradicts')
    Object.assign(world.stage.broker, { quote })
  })

  it('cancels the open orders of its deployment first, and sells what was filled of them', async () => {
    await withStop('fixed', 5)
    world.stage.holdsFills = true
    world.signalService.percentages = { SPY: 80, TLT: 20 }
    await world.deps.database.deployments.change(id, {
      settings: { ...settingsOf(), rebalanceFrequency: 'daily' },
    })
    world.toDecision()
    await settle(world, runner, 2)
    price('SPY', '370')
    await minutes(1)
    world.stage.holdsFills = false
    await minutes(3)
    expect((await sliceOf(world, id)).filter((one) => one.endsWith('SPY'))).toEqual([])
    await expectSound(world)
  })

  it('that dies before its order is sent is carried out once by the next process', async () => {
    await withStop('fixed', 5)
    price('SPY', '379')
    world.clock.advance(MINUTE)
    const dying = world.process((step) => {
      if (step === 'order-quoted') throw new Error('killed')
    })
    await runner.close()
    await dying.runner.tick().catch(() => {})
    await dying.runner.close()
    runner = world.runner()
    await minutes(3)
    expect(await sales()).toEqual(['SPY'])
    expect((await sliceOf(world, id)).slice(1)).toEqual(['44.444444444 TLT'])
    await expectSound(world)
  })
})
