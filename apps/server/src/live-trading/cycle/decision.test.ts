import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { INSUFFICIENT_FUNDS } from '@tradewright/engine/trading/broker'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { INVESTED, invested, mailsOf, ONLY_CASH, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  logOf,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { changeCapital } from '../capital/change-capital.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const decimal = (text: string) => Decimal.parse(text)
const { notifications } = settingsOf()

it('is journaled, sent, filled and booked, and told', async () => {
  const events = { ...notifications.events, signals: true }
  const deployment = await world.deployed({ settings: settingsOf({ notifications: { ...notifications, events } }) })
  world.toDecision()
  await settle(world, world.runner(), 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect(await outcomeOf(world, deployment.id)).toBe('done')
  expect(await logOf(world, deployment.id)).toMatch(
    /Fetching Market Data[\s\S]*Generating Signal[\s\S]*Executing Trades[\s\S]*Execution Complete/,
  )
  expect((await mailsOf(world)).map(({ event }) => event)).toEqual(['signals', 'trades'])
  await expectSound(world)
})

it('sells first and buys with what that brought', async () => {
  const { deployment, runner } = await invested(world)
  world.signalService.percentages = { GLD: 100 }
  world.quotes.set('SPY', decimal('410'))
  world.toDecision()
  await settle(world, runner)
  expect(await sliceOf(world, deployment.id)).toEqual(['0', '56.232686981 GLD'])
  await expectSound(world)
})

it('holds when nothing changed, and says so', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'none' }) })
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 4)
  world.toDecision()
  await settle(world, runner, 2)
  expect(await outcomeOf(world, deployment.id)).toBe('held')
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  expect(await activityOf(world, deployment.id)).toContain('Hold: The signal is unchanged and no rebalance is due.')
})

it('sends nothing in a dry run, but keeps what it would have', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ dryRun: true }) })
  world.toDecision()
  await settle(world, world.runner(), 2)
  expect(await world.stage.ordersTaken()).toEqual([])
  const decision = await world.deps.database.decisions.latest(deployment.id)
  expect(decision?.outcome).toBe('dry_run')
  expect(decision?.signal.planned.map(({ ticker, notional }) => [ticker, notional])).toEqual([
    ['SPY', '6000'],
    ['TLT', '4000'],
  ])
  expect(await sliceOf(world, deployment.id)).toEqual(ONLY_CASH)
})

it('brings a percent of the account to its percent first', async () => {
  const deployment = await world.deployed({
    capitalPolicy: 'percent_of_account',
    capitalPolicyValue: decimal('20'),
  })
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 4)
  world.quotes.set('SPY', decimal('800'))
  world.toDecision()
  await settle(world, runner, 4)
  const { total } = await world.deps.database.books.page(deployment.id, 1, 50, {
    types: ['REBALANCE'],
    search: undefined,
  })
  // 12,000 of SPY doubled: the account is worth 112,000 and a fifth of it 22,400, but only its own cash can leave.
  expect(total).toBe(0)
  world.quotes.set('SPY', decimal('200'))
  world.toDecision()
  await settle(world, runner, 4)
  const { net } = (await world.deps.database.deployments.byId(deployment.id))!.totals
  expect(net.isBelow(decimal('20000'))).toBe(false)
  await expectSound(world)
})

it('tries again what was refused the last time', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'none' }) })
  const runner = world.runner()
  world.stage.placeFaults.push('refused')
  world.toDecision()
  await settle(world, runner, 4)
  expect((await mailsOf(world)).map(({ event }) => event)).toContain('errors')
  world.toDecision()
  await settle(world, runner, 6)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  await expectSound(world)
})

it('may spend the account’s last cent', async () => {
  const deployment = await world.deployed({ capitalPolicyValue: decimal('100000') })
  world.toDecision()
  await settle(world, world.runner(), 4)
  expect(await sliceOf(world, deployment.id)).toEqual(['0', '150 SPY', '444.444444444 TLT'])
  await expectSound(world)
})

it('pauses a deployment that lost too much in a day', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ maxDailyLossPct: 5 }) })
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 4)
  world.quotes.set('SPY', decimal('350'))
  world.toDecision()
  await settle(world, runner, 2)
  expect((await world.deps.database.deployments.byId(deployment.id))?.status).toBe('paused')
  expect((await activityOf(world, deployment.id)).join('\n')).toContain(
    'Paused by its loss limit. The loss of the day is 7.50%',
  )
  expect(await world.stage.ordersTaken()).toHaveLength(2)
})

it('invests a contribution at the next run, not at the next rebalance', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'none' }) })
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 4)
  const amount = '5000'
  await changeCapital(world.deps, world.userId, deployment.id, { type: 'CONTRIBUTION', amount, note: undefined })
  expect(await activityOf(world, deployment.id)).toContain('Contribution of $5,000.00. It is invested at the next run.')
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(['0', '22.5 SPY', '66.666666666 TLT'])
  expect(await activityOf(world, deployment.id)).toContain('Trade: A contribution is not invested yet.')
  world.toDecision()
  await settle(world, runner, 2)
  expect(await outcomeOf(world, deployment.id)).toBe('held')
  await expectSound(world)
})

it.each([
  {
    forgivenessPct: 5,
    slice: ['300', '14.25 SPY', '44.444444444 TLT'],
    told: 'it is cut down to the available $5,700.00',
  },
  { forgivenessPct: 4, slice: ['6000', '44.444444444 TLT'], told: 'The order to buy SPY was refused' },
])('sends a refused purchase again with less within $forgivenessPct % of forgiveness', async (expected) => {
  const deployment = await world.deployed({ settings: settingsOf({ forgivenessPct: expected.forgivenessPct }) })
  const place = world.broker.place.bind(world.broker)
  // The broker sees less than it said when the purchases were planned.
  world.broker.place = async () => {
    world.broker.place = place
    world.stage.buyingPower = decimal('5700')
    throw new Problem('invalid', INSUFFICIENT_FUNDS, 'insufficient buying power')
  }
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 9)
  expect(await sliceOf(world, deployment.id)).toEqual(expected.slice)
  expect((await activityOf(world, deployment.id)).join('\n')).toContain(expected.told)
  await expectSound(world)
})
