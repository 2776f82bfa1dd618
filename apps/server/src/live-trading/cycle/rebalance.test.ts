import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import {
  deploymentOf,
  invested,
  mailsOf,
  ONLY_CASH,
  outcomeOf,
  sliceOf,
} from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { previewDecision } from '../deploy/preview.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const decimal = (text: string) => Decimal.parse(text)
const sides = async () => (await world.stage.ordersTaken()).map(({ side, ticker }) => `${side} ${ticker}`).toReversed()

/** SPY rises to 440, so it is trimmed at the next decision; its price when the purchases are planned is another one. */
async function rebalanced(later: string): Promise<number> {
  const { deployment, runner } = await invested(world)
  world.quotes.set('SPY', decimal('440'))
  world.toDecision()
  await runner.tick()
  world.quotes.set('SPY', decimal(later))
  world.clock.advance(1_000)
  await settle(world, runner, 5)
  return deployment.id
}

describe.each([
  { stage: undefined, played: 'a broker behind the port' },
  { stage: alpacaStage, played: 'Alpaca’s HTTP' },
])('a rebalance with no forgiveness, with $played', ({ stage }) => {
  beforeEach(async () => {
    world = await liveWorld({ database, ...(stage && { stage }) })
  })
  afterEach(async () => {
    expect(world.stage.violations).toEqual([])
    await world.close()
  })

  it('buys with what there is when what it sold has risen since', async () => {
    const id = await rebalanced('460')
    const [cash] = await sliceOf(world, id)
    expect(Number(cash)).toBeLessThan(0.02)
    expect(await sides()).toEqual(['buy SPY', 'buy TLT', 'sell SPY', 'buy TLT'])
    expect(await outcomeOf(world, id)).toBe('done')
    expect((await deploymentOf(world, id)).lastTrade?.isComplete).toBe(true)
    expect((await mailsOf(world)).map(({ event }) => event)).not.toContain('errors')
    await expectSound(world)
  })

  it('does not buy back what it sold when that has fallen since', async () => {
    const id = await rebalanced('420')
    expect(await sides()).toEqual(['buy SPY', 'buy TLT', 'sell SPY', 'buy TLT'])
    expect(await outcomeOf(world, id)).toBe('done')
    await expectSound(world)
  })

  it('lists its purchases after its sales, although the clock of this machine is behind', async () => {
    world.stage.clockSkew = 10 * MINUTE
    const id = await rebalanced('440')
    const newest = await world.deps.database.orders.newest(id, 4)
    expect(newest.map(({ side, ticker }) => `${side} ${ticker}`).slice(0, 2)).toEqual(['buy TLT', 'sell SPY'])
  })

  it('of less than the smallest order sends nothing and is complete', async () => {
    const { deployment, runner } = await invested(world)
    // 24 cents too much of SPY.
    world.quotes.set('SPY', decimal('400.04'))
    world.toDecision()
    await settle(world, runner, 3)
    expect(await sides()).toEqual(['buy SPY', 'buy TLT'])
    expect(await outcomeOf(world, deployment.id)).toBe('done')
    expect((await deploymentOf(world, deployment.id)).lastTrade?.isComplete).toBe(true)
    expect((await activityOf(world, deployment.id)).join('\n')).not.toContain('buying power')
  })

  it('is previewed with the purchases that its sales will pay for', async () => {
    const { deployment } = await invested(world)
    world.quotes.set('SPY', decimal('440'))
    world.toDecision()
    const { orders, decision } = await previewDecision(world.deps, world.userId, deployment.id)
    expect(
      orders.map(({ side, ticker, estimatedValue }) => `${side} ${ticker} ${Number(estimatedValue).toFixed(0)}`),
    ).toEqual(['sell SPY 240', 'buy TLT 240'])
    expect(decision.isPartial).toBe(false)
  })
})

describe('a cash account', () => {
  beforeEach(async () => {
    world = await liveWorld({ database, stage: alpacaStage })
  })
  afterEach(() => world.close())

  it('spends the proceeds of a sale when they are settled, and says what it waits for', async () => {
    const { account } = (world.stage as AlpacaStage).standIn
    account.cash = decimal('10000.5')
    const { deployment, runner } = await invested(world)
    account.settlesAtOnce = false
    world.signalService.percentages = { GLD: 100 }
    world.toDecision()
    await settle(world, runner, 5)
    expect(await sliceOf(world, deployment.id)).toEqual(ONLY_CASH)
    expect(await outcomeOf(world, deployment.id)).toBe('incomplete')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'Of purchases of $10,000.00, $9,999.50 wait until earlier sales are settled.',
    )
    account.settleSales()
    world.toDecision()
    await settle(world, runner, 5)
    expect((await sliceOf(world, deployment.id))[1]).toMatch(/^55\.4\d+ GLD$/)
    expect(await outcomeOf(world, deployment.id)).toBe('done')
    expect((await mailsOf(world)).map(({ event }) => event)).not.toContain('errors')
    await expectSound(world)
  })
})
