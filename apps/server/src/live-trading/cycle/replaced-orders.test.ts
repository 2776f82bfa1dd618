import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { healthOf, INVESTED, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { emergencyStop } from '../stops/emergency-stop.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
let stage: AlpacaStage
let runner: LiveRunner
let id: number

/** The purchase of 15 SPY is open at the broker. */
beforeEach(async () => {
  world = await liveWorld({ stage: alpacaStage })
  stage = world.stage as AlpacaStage
  stage.holdsFills = true
  id = (await world.deployed({ settings: settingsOf() })).id
  runner = world.runner()
  world.toDecision()
  await settle(world, runner, 2)
})
afterEach(async () => {
  expect(stage.violations).toEqual([])
  await world.close()
})

const openOrder = () =>
  stage.standIn.account.orders.find(({ symbol, status }) => symbol === 'SPY' && status !== 'replaced')!
const booked = async () => (await world.deps.database.books.slice(world.accountId, id)).positions.get('SPY')

it('an order that is changed at the broker is still the deployment’s', async () => {
  stage.standIn.account.replace(openOrder(), '15')
  await settle(world, runner, 2)
  expect(await outcomeOf(world, id)).toBe('buying')
  stage.trade()
  await settle(world, runner, 4)
  expect(await sliceOf(world, id)).toEqual(INVESTED)
  expect(await outcomeOf(world, id)).toBe('done')
  expect(await healthOf(world, id)).toBeNull()
  expect((await activityOf(world, id)).join('\n')).not.toContain('outside of the deployments')
  expect((await activityOf(world, id)).join('\n')).toContain(
    'Buy SPY: filled, 15 at $400.00 (It was changed at the broker.)',
  )
  await expectSound(world)
})

it('what was filled before it was changed, twice, counts as well', async () => {
  stage.fillPart('SPY', 0.4)
  stage.standIn.account.replace(openOrder(), '5')
  await settle(world, runner, 2)
  stage.standIn.account.replace(openOrder(), '9')
  stage.trade()
  await settle(world, runner, 4)
  expect(String(await booked())).toBe('15')
  expect(await healthOf(world, id)).toBeNull()
  await expectSound(world)
})

it('an emergency stop cancels the order that took its place', async () => {
  stage.standIn.account.replace(openOrder(), '15')
  const deps = { ...world.deps, knownBroker: () => stage.broker, knownDeployments: () => [] }
  await emergencyStop(deps, world.userId, id)
  await settle(world, runner, 2)
  expect(stage.standIn.account.orders.map(({ symbol, status }) => `${symbol} ${status}`).sort()).toEqual([
    'SPY canceled',
    'SPY replaced',
    'TLT canceled',
  ])
  await expectSound(world)
})
