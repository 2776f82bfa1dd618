import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, epochDayOf, HOUR } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
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
import { deploy } from '../deploy.ts'
import type { Deployment } from '../deployment.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => world.close())
afterAll(() => database.close())

const decimal = (text: string) => Decimal.parse(text)
const SATURDAY = dateOf('2026-03-07') * DAY + 10 * HOUR + 1

/** A strategy of coins alone, polled every hour of every day. */
async function coinsDeployed(granularity: '1h' | '1d', now = SATURDAY): Promise<Deployment> {
  world = await liveWorld({ database, now, percents: { 'BTC-USD': 100 } })
  world.quotes.set('BTC-USD', decimal('50000'))
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const strategy = strategyOf({ 'BTC-USD': 100 })
  const deps = {
    ...world.deps,
    readStrategy: () => ({ ...strategy, request: { ...strategy.request, granularity } }),
  }
  const settings = settingsOf({
    frequencyType: 'continuous',
    checkFrequencyMinutes: 60,
    bypassMarketHours: true,
    tradingDays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  })
  const form = deployForm({ strategyId, accountId: world.accountId, settings })
  const { deployment } = await deploy(deps, world.userId, form)
  return controlDeployment(world.deps, world.userId, deployment.id, 'start')
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
  const look = async () => {
    world.clock.advance(61_000)
    await settle(world, runner, 2)
  }
  return { deployment, look }
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
    const { deployment, look } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.9975'))
    await look()
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
    await look()
    expect(await coinsOf(deployment)).toBe('0.1995')
    expect(await entriesOf(deployment, 'FEE')).toHaveLength(1)
    expect((await current(deployment)).healthProblem).toBeNull()
    await expectSound(world)
  })

  it('is taken once per purchase: coins that go on shrinking stop trading', async () => {
    const { deployment, look } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.9975'))
    await look()
    world.broker.corrections.set('BTC-USD', decimal('0.995'))
    await look()
    expect((await current(deployment)).healthProblem?.sentence).toContain(
      'The broker holds 0.199 BTC-USD, but the books say 0.1995.',
    )
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('Broker and books disagree')
  })

  it('that is larger than any fee is no fee', async () => {
    const { deployment, look } = await invested()
    world.broker.corrections.set('BTC-USD', decimal('0.98'))
    await look()
    expect((await current(deployment)).healthProblem?.sentence).toContain('The broker holds 0.196 BTC-USD')
  })
})
