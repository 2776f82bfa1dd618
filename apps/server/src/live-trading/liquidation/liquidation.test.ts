import { dateOf, HOUR } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { deploymentOf, expireLeases, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { holdOrders } from '../../stores/live-trading/held-orders.ts'
import { controlDeployment } from '../control.ts'
import { emergencyStop } from '../stops/emergency-stop.ts'
import { removeDeployment } from '../remove.ts'
import { viewDeployment } from '../views.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const ANN = { kind: 'user', name: 'ann', session: 'Firefox' } as const
const stopAndSell = (id: number) =>
  controlDeployment({ ...world.deps, actor: ANN }, world.userId, id, 'stop', { positions: 'sell' })

const actorsOf = async (id: number, message: RegExp) =>
  (await world.deps.database.journal.activity(id, 50)).flatMap(({ activity }) =>
    activity.type === 'event' && message.test(activity.message) ? [activity.actor?.name] : [],
  )
const told = async (id: number) => (await activityOf(world, id)).join('\n')
const sales = async () => (await world.stage.ordersTaken()).filter(({ side }) => side === 'sell')
const SOLD = ['10000']

describe.each([
  { stage: undefined, played: 'a broker behind the port' },
  { stage: alpacaStage, played: 'Alpaca’s HTTP' },
])('a stop that sells everything, with $played', ({ stage }) => {
  beforeEach(async () => {
    world = await liveWorld({ database, ...(stage && { stage }) })
  })
  afterEach(async () => {
    expect(world.stage.violations).toEqual([])
    await world.close()
  })

  it('sells whole positions by journaled orders, and says so', async () => {
    world.signalService.synthetic = ['TLT']
    const { deployment, runner } = await invested(world)
    const stopped = await stopAndSell(deployment.id)
    expect(stopped).toMatchObject({ status: 'stopped', nextRunAt: null, liquidatingSince: expect.any(Date) })
    await settle(world, runner, 5)
    expect(await sliceOf(world, deployment.id)).toEqual(SOLD)
    expect(
      (await sales()).map(({ ticker, size }) => `${ticker} ${String('quantity' in size && size.quantity)}`),
    ).toEqual(['TLT 44.444444444', 'SPY 15'])
    expect(await deploymentOf(world, deployment.id)).toMatchObject({ status: 'stopped', liquidatingSince: null })
    expect(await told(deployment.id)).toMatch(/Everything is sold\.[^]*Selling everything: SPY, TLT\./)
    expect(new Set(await actorsOf(deployment.id, /sold\.|Selling|Execution Complete\. Sell/))).toEqual(new Set(['ann']))
    // What it earned is still of synthetic prices.
    const { syntheticTickers } = await viewDeployment(world.deps, world.userId, deployment.id)
    expect(syntheticTickers).toEqual(['TLT'])
    await expectSound(world)
  })

  it('is refused in an instance that was restored from a backup: it would sell later, what is held by then', async () => {
    const { deployment } = await invested(world)
    const client = await world.database.pool.connect()
    await holdOrders(client).finally(() => client.release())
    await expect(stopAndSell(deployment.id)).rejects.toThrow('This instance was restored from a backup')
    expect(await deploymentOf(world, deployment.id)).toMatchObject({ status: 'running', liquidatingSince: null })
  })

  it('cancels what is open first, and sells what of it was filled', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 0.4)
    await stopAndSell(deployment.id)
    world.stage.holdsFills = false
    await settle(world, runner, 6)
    expect(await sliceOf(world, deployment.id)).toEqual(SOLD)
    expect((await sales()).map(({ ticker }) => ticker)).toEqual(['SPY'])
    await expectSound(world)
  })

  it('waits for the open where the market is closed, and says so', async () => {
    const { deployment, runner } = await invested(world)
    world.clock.advance(8 * HOUR)
    world.stage.holdsFills = true
    await stopAndSell(deployment.id)
    await settle(world, runner, 3)
    expect(await told(deployment.id)).toContain(
      'The market is closed: the orders wait at the broker for its next open.',
    )
    expect((await deploymentOf(world, deployment.id)).liquidatingSince).not.toBeNull()
    world.clock.advance(nyse.openOf(dateOf('2026-03-04')) + HOUR - world.clock.now().getTime())
    world.stage.trade()
    await settle(world, runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(SOLD)
    expect((await deploymentOf(world, deployment.id)).liquidatingSince).toBeNull()
    await expectSound(world)
  })

  it('is carried on by another process', async () => {
    const { deployment, runner } = await invested(world)
    world.stage.holdsFills = true
    await stopAndSell(deployment.id)
    await settle(world, runner, 2)
    await expireLeases(world)
    world.stage.trade()
    await settle(world, world.process().runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(SOLD)
    await expectSound(world)
  })

  it('is ended by the emergency stop, which keeps what is not sold', async () => {
    const { deployment, runner } = await invested(world)
    world.stage.holdsFills = true
    await stopAndSell(deployment.id)
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 1)
    const deps = { ...world.deps, knownBroker: () => undefined, knownDeployments: () => [] }
    expect(await emergencyStop(deps, world.userId, undefined)).toMatchObject({ stopped: 1, cancelledOrders: 1 })
    await settle(world, runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(['6000', '44.444444444 TLT'])
    expect(await outcomeOf(world, deployment.id)).toBe('incomplete')
    await expectSound(world)
    // What was kept can be sold after that.
    world.stage.holdsFills = false
    await stopAndSell(deployment.id)
    await settle(world, runner, 5)
    expect(await sliceOf(world, deployment.id)).toEqual(SOLD)
  })

  it('says what the broker refuses to sell, and keeps it', async () => {
    const { deployment, runner } = await invested(world)
    world.stage.placeFaults.push('refused')
    await stopAndSell(deployment.id)
    await settle(world, runner, 5)
    expect(await sliceOf(world, deployment.id)).toEqual(['4000', '15 SPY'])
    expect(await told(deployment.id)).toMatch(
      /Not everything could be sold, and the rest is kept: SPY \(.*insufficient buying power/,
    )
    expect((await deploymentOf(world, deployment.id)).liquidatingSince).toBeNull()
    await expectSound(world)
  })

  it('can neither be started nor deleted meanwhile, and buys again when it is started later', async () => {
    const { deployment, runner } = await invested(world)
    world.stage.holdsFills = true
    await stopAndSell(deployment.id)
    await settle(world, runner, 2)
    await expect(controlDeployment(world.deps, world.userId, deployment.id, 'start')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('It is selling everything and cannot be started until that has finished.'),
    })
    await expect(removeDeployment(world.deps, world.userId, deployment.id)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(stopAndSell(deployment.id)).rejects.toMatchObject({ kind: 'conflict' })
    world.stage.holdsFills = false
    world.stage.trade()
    await settle(world, runner, 4)
    await controlDeployment(world.deps, world.userId, deployment.id, 'start')
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '15 SPY', '44.444444444 TLT'])
  })
})

it('is refused for a dry run, which sends no orders', async () => {
  world = await liveWorld({ database })
  const deployment = await world.deployed()
  await world.deps.database.deployments.change(deployment.id, {
    settings: { ...deployment.settings, dryRun: true },
  })
  await expect(stopAndSell(deployment.id)).rejects.toMatchObject({
    message: expect.stringContaining('A dry run sends no orders'),
  })
  expect((await deploymentOf(world, deployment.id)).status).toBe('running')
  await world.close()
})
