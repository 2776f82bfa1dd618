import { Decimal } from '@tradewright/core/decimal'
import type { OrderLimits } from '@tradewright/engine/live/order-limits'
import { expect, it } from 'vitest'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { healthOf, INVESTED, mailsOf, ONLY_CASH, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { withoutOrders } from '../../brokerage/paper-only.ts'
import { controlDeployment } from '../control.ts'
import { previewDecision } from '../deploy/preview.ts'
import { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const decimal = (text: string) => Decimal.parse(text)

/** Limits of now: a runner has those of its start. */
const limited = (limits: OrderLimits): LiveRunner => {
  Object.assign(world.deps, { limits })
  return world.runner()
}

async function decided(limits: OrderLimits): Promise<number> {
  const { id } = await world.deployed()
  world.toDecision()
  const runner = limited(limits)
  await settle(world, runner, 4)
  await runner.close()
  return id
}

it('an order above the limit is not sent, and that is told', async () => {
  const id = await decided({ maxOrderValue: decimal('5000') })
  expect(await sliceOf(world, id)).toEqual(['6000', '44.444444444 TLT'])
  expect(await outcomeOf(world, id)).toBe('incomplete')
  expect((await activityOf(world, id)).join('\n')).toContain(
    'The order to buy $6,000.00 of SPY is not sent: one order may be of $5,000.00 at most.',
  )
  expect((await mailsOf(world)).map(({ event }) => event)).toContain('errors')
  await expectSound(world)
})

it('a preview tells which orders a limit would hold back', async () => {
  Object.assign(world.deps, { limits: { maxOrderValue: decimal('5000') } })
  const { id } = await world.deployed()
  const { orders, decision } = await previewDecision(world.deps, world.userId, id)
  expect(orders.map(({ ticker }) => ticker)).toEqual(['TLT'])
  expect(decision.reason).toContain('The order to buy $6,000.00 of SPY is not sent')
})

it('the orders of a day are limited for all deployments of the account together', async () => {
  const runner = limited({ maxDailyOrders: 3, maxDailyValue: decimal('17000') })
  const ids = [await world.deployed(), await world.deployed({ name: 'Another' })].map(({ id }) => id)
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, ids[0]!)).toEqual(INVESTED)
  expect(await sliceOf(world, ids[1]!)).toEqual(['4000', '15 SPY'])
  expect((await activityOf(world, ids[1]!)).join('\n')).toContain('an account may send 3 orders a day')
  // The next day has its own.
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, ids[1]!)).toEqual(INVESTED)
  await expectSound(world)
})

it('purchases that follow sales are limited as well', async () => {
  const id = await decided({})
  const runner = limited({ maxDailyTurnoverPct: 15 })
  world.signalService.percentages = { GLD: 100 }
  world.toDecision()
  await settle(world, runner, 5)
  expect(await sliceOf(world, id)).toEqual(ONLY_CASH)
  expect((await activityOf(world, id)).join('\n')).toContain('an account may trade 15% of its value a day')
  await expectSound(world)
})

it('nothing is decided in an account that has lost too much today', async () => {
  const account = world.broker.account.bind(world.broker)
  world.broker.account = async () => ({ ...(await account()), lastEquity: decimal('110000') })
  const id = await decided({ maxDailyLossPct: 5 })
  expect(await world.stage.ordersTaken()).toEqual([])
  expect(await healthOf(world, id)).toBe('The account has lost 9.09% today, more than the allowed 5%.')
})

it('limits of the user hold beside those of the operator, and may not be looser', async () => {
  Object.assign(world.deps, { limits: { maxOrderValue: decimal('7000') } })
  const orderLimits = {
    maxOrderUsd: 5_000,
    maxDailyUsd: null,
    maxDailyOrders: null,
    maxDailyTurnoverPct: null,
    maxAccountLossPct: null,
  }
  const looser = settingsOf({ orderLimits: { ...orderLimits, maxOrderUsd: 7_001 } })
  await expect(world.deployed({ settings: looser })).rejects.toThrow('allows orders of $7,000.00 at most')
  const { id } = await world.deployed({ settings: settingsOf({ orderLimits }) })
  world.toDecision()
  await settle(world, world.runner(), 4)
  expect(await sliceOf(world, id)).toEqual(['6000', '44.444444444 TLT'])
  expect((await activityOf(world, id)).join('\n')).toContain(
    'Limit reached. The order to buy $6,000.00 of SPY is not sent: one order of this deployment may be of $5,000.00 at most.',
  )
  await expectSound(world)
})

it('purchases that follow sales are not sent when the account has lost too much meanwhile', async () => {
  const id = await decided({})
  const runner = limited({ maxDailyLossPct: 5 })
  const account = world.broker.account.bind(world.broker)
  const fallen = { lastEquity: undefined as Decimal | undefined }
  world.broker.account = async () => ({ ...(await account()), ...fallen })
  world.signalService.percentages = { GLD: 100 }
  world.stage.holdsFills = true
  world.toDecision()
  await settle(world, runner, 2)
  fallen.lastEquity = decimal('110000')
  world.stage.holdsFills = false
  world.stage.trade()
  await settle(world, runner, 4)
  expect(await sliceOf(world, id)).toEqual(ONLY_CASH)
  expect(await outcomeOf(world, id)).toBe('incomplete')
  expect((await activityOf(world, id)).join('\n')).toMatch(
    /Limit reached\. The order to buy .* of GLD is not sent: The account has lost 9\.09% today/,
  )
  await expectSound(world)
})

it('a deployment with real money is not started where the operator allows paper alone', async () => {
  const { id } = await world.deployed()
  await controlDeployment(world.deps, world.userId, id, 'stop')
  await world.database.database.updateTable('deployments').set({ is_paper: false }).where('id', '=', id).execute()
  const deps = { ...world.deps, isPaperOnly: true }
  await expect(controlDeployment(deps, world.userId, id, 'start')).rejects.toThrow(
    'This instance trades paper accounts only.',
  )
})

it('one that runs when the operator allows paper alone sends nothing more, says so, and can be stopped', async () => {
  const atBroker = await liveWorld({ database: world.database, stage: alpacaStage })
  const { id } = await atBroker.deployed()
  const brokerFor = async () => withoutOrders(atBroker.stage.broker)
  const deps = { ...atBroker.deps, brokerFor, isPaperOnly: true }
  const runner = new LiveRunner(deps)
  atBroker.toDecision()
  await settle(atBroker, runner, 3)
  expect(await atBroker.stage.ordersTaken()).toEqual([])
  expect(await healthOf(atBroker, id)).toContain(
    'accepts no orders for this account: this instance trades paper accounts only',
  )
  expect((await controlDeployment(deps, atBroker.userId, id, 'stop')).status).toBe('stopped')
  await expectSound(atBroker)
  await runner.close()
  await atBroker.stage.close()
})
