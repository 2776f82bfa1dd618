import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, epochDayOf, HOUR } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { outcomeOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  deployForm,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import { deploy, type DeployForm } from '../deploy/deploy.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveRunner } from './runner.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => world.close())
afterAll(() => database.close())

const decimal = (text: string) => Decimal.parse(text)
const SATURDAY = dateOf('2026-03-07') * DAY + 10 * HOUR + 1
const MONDAY = SATURDAY + 2 * DAY

/** A strategy of coins alone, polled every hour of every day. */
async function coinsDeployed(granularity: '1h' | '1d', now = SATURDAY): Promise<Deployment> {
  world = await liveWorld({ database, now, percentages: { 'BTC-USD': 100 } })
  world.quotes.set('BTC-USD', decimal('50000'))
  return coinsDeployedIn(world, granularity)
}

async function coinsDeployedIn(
  { deps, signalService, userId, accountId }: LiveWorld,
  granularity: '1h' | '1d',
  more: Partial<DeployForm> = {},
): Promise<Deployment> {
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const strategy = strategyOf(signalService.percentages)
  const readStrategy = () => ({ ...strategy, request: { ...strategy.request, granularity } })
  const settings = settingsOf({
    frequencyType: 'continuous',
    checkFrequencyMinutes: 60,
    bypassMarketHours: true,
    tradingDays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  })
  const form = deployForm({ strategyId, accountId, settings, ...more })
  const { deployment } = await deploy({ ...deps, readStrategy }, userId, form)
  return controlDeployment(deps, userId, deployment.id, 'start')
}

const coinsOf = async ({ id }: Deployment) =>
  String((await world.deps.database.books.slice(world.accountId, id)).positions.get('BTC-USD'))
const current = async ({ id }: Deployment) => (await world.deps.database.deployments.byId(id))!
const entriesOf = async ({ id }: Deployment, type: 'FEE') =>
  (await world.deps.database.books.page(id, 1, 50, { types: [type], search: undefined })).entries

/** Bought with 10,000 dollars. */
async function invested() {
  const deployment = await coinsDeployed('1h')
  const runner = world.runner()
  world.clock.advance(HOUR)
  await settle(world, runner, 4)
  expect(await coinsOf(deployment)).toBe('0.2')
  const poll = async () => {
    world.clock.advance(61_000)
    await settle(world, runner, 2)
  }
  return { deployment, poll }
}

describe('coins', () => {
  it('trade around the clock: on a Saturday, every hour', async () => {
    const deployment = await coinsDeployed('1h')
    expect(deployment.nextRunAt?.toISOString()).toBe('2026-03-07T11:00:00.000Z')
    const runner = world.runner()
    for (const hour of [11, 12]) {
      world.clock.advance(HOUR)
      await settle(world, runner, 3)
      const latest = await world.deps.database.decisions.latest(deployment.id)
      expect(latest?.decidedFor.toISOString()).toBe(`2026-03-07T${hour}:00:00.000Z`)
      expect(latest?.outcome).toBe(hour === 11 ? 'done' : 'held')
    }
    const [order] = await world.broker.inner.orders({ state: 'all' })
    expect(order).toMatchObject({ state: 'filled', timeInForce: 'gtc' })
    await expectSound(world)
  })

  it('of a daily strategy wait for the business day, whatever the form says about hours [LIVE-138]', async () => {
    const deployment = await coinsDeployed('1d')
    expect(epochDayOf(deployment.nextRunAt!.getTime())).toBe(dateOf('2026-03-09'))
  })
})

describe('a fee that is taken in the coin', () => {
  it('is the deployment’s, before it is listed and not again when it is', async () => {
    const { deployment, poll } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.9975'))
    await poll()
    expect(await coinsOf(deployment)).toBe('0.1995')
    expect((await current(deployment)).healthProblem).toBeNull()
    const [fee] = await entriesOf(deployment, 'FEE')
    expect(fee).toMatchObject({ direction: 'out', note: 'Fee of buying BTC-USD, taken in the coin' })
    const at = world.clock.now().getTime()
    world.broker.cashActivities.push({
      kind: 'cash',
      id: 'listed-later',
      at,
      day: epochDayOf(at),
      type: 'CFEE',
      netAmount: decimal('-25'),
      description: 'Coin Pair Transaction Fee (Non USD)',
      ticker: 'BTC-USD',
      quantity: decimal('-0.0005'),
    })
    await poll()
    expect(await coinsOf(deployment)).toBe('0.1995')
    expect(await entriesOf(deployment, 'FEE')).toHaveLength(1)
    expect((await current(deployment)).healthProblem).toBeNull()
    await expectSound(world)
  })

  it('is taken once per purchase: coins that go on shrinking stop trading', async () => {
    const { deployment, poll } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.9975'))
    await poll()
    world.broker.corrections.set('BTC-USD', decimal('0.995'))
    await poll()
    expect((await current(deployment)).healthProblem?.sentence).toContain(
      'The broker holds 0.199 BTC-USD, but the books say 0.1995.',
    )
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('Broker and books disagree')
  })

  it('that is larger than any fee is no fee', async () => {
    const { deployment, poll } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.98'))
    await poll()
    expect((await current(deployment)).healthProblem?.sentence).toContain('The broker holds 0.196 BTC-USD')
  })
})

/** The runs of the night are missed; the first one of the next day finds a rebalance due. */
async function nextDay(runner: LiveRunner): Promise<void> {
  world.clock.advance(24 * HOUR)
  await settle(world, runner, 2)
  world.clock.advance(HOUR)
  await settle(world, runner, 5)
}

describe('a fee that is taken from the proceeds of a coin', () => {
  /** All of the account is in coins; then half of them are sold. */
  async function halfSold() {
    const percentages = { 'BTC-USD': 100 }
    world = await liveWorld({ database, now: MONDAY, percentages, cash: '10000', stage: alpacaStage })
    world.quotes.set('BTC-USD', decimal('50000'))
    const { account } = (world.stage as AlpacaStage).standIn
    const deployment = await coinsDeployedIn(world, '1h')
    const runner = world.runner()
    world.clock.advance(HOUR)
    await settle(world, runner, 4)
    account.coinFee = decimal('0.0025')
    world.signalService.percentages = { 'BTC-USD': 50 }
    await nextDay(runner)
    return { deployment, runner, account }
  }

  it('is the seller’s at once, not money that left the account, and not again when it is listed', async () => {
    const { deployment, runner, account } = await halfSold()
    expect(await coinsOf(deployment)).toMatch(/^0\.(1|09999)/)
    expect((await current(deployment)).healthProblem).toBeNull()
    const fees = await entriesOf(deployment, 'FEE')
    expect(fees).toMatchObject([{ direction: 'out', note: 'Fee of selling BTC-USD' }])
    expect(fees[0]!.amount.toNumber()).toBeCloseTo(12.5, 1)
    const unallocated = (await world.deps.database.books.books(world.accountId)).get('unallocated')
    expect(unallocated?.cash.absolute().isBelow(decimal('0.01')) ?? true).toBe(true)
    const date = new Date(world.clock.now()).toISOString().slice(0, 10)
    account.book('CFEE', '-12.50', date, { symbol: 'BTCUSD', description: 'Coin Pair Transaction Fee (USD)' })
    account.cash = account.cash.plus(decimal('12.50'))
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await entriesOf(deployment, 'FEE')).toHaveLength(1)
    expect((await current(deployment)).healthProblem).toBeNull()
    await expectSound(world)
  })
})

it('a rebalance of coins below the broker’s minimum sells nothing, and is complete', async () => {
  const percentages = { 'BTC-USD': 50, 'ETH-USD': 50 }
  world = await liveWorld({ database, now: MONDAY, percentages, cash: '1000', stage: alpacaStage })
  world.quotes.set('BTC-USD', decimal('50000')).set('ETH-USD', decimal('2000'))
  const deployment = await coinsDeployedIn(world, '1h', { capitalPolicyValue: decimal('400') })
  const runner = world.runner()
  world.clock.advance(HOUR)
  await settle(world, runner, 4)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  // $8 of BTC too much: four would have to become ETH.
  world.quotes.set('BTC-USD', decimal('52000'))
  await nextDay(runner)
  const { decidedFor } = (await world.deps.database.decisions.latest(deployment.id))!
  expect(decidedFor.getTime()).toBeGreaterThan(MONDAY + DAY)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  expect(await outcomeOf(world, deployment.id)).toBe('done')
  expect((await current(deployment)).lastTrade?.isComplete).toBe(true)
  expect((await activityOf(world, deployment.id)).join('\n')).not.toMatch(/refused|not everything/)
  await expectSound(world)
})
