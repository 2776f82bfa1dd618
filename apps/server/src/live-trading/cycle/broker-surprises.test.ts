import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, healthOf, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectBalanced,
  expectSound,
  type LiveWorld,
  settle,
} from '../../../test-support/live/live-world.ts'
import { controlDeployment } from '../control.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

const decimal = (text: string) => Decimal.parse(text)
const account = () => (world.stage as AlpacaStage).standIn.account
const told = async (id: number) => (await activityOf(world, id)).join('\n')
const agree = async (id: number) => (await deploymentOverview(world.deps, world.userId, id)).health.booksAgree

async function poll(runner: LiveRunner): Promise<void> {
  world.clock.advance(61_000)
  await settle(world, runner, 2)
}

describe('a split while an order is open', () => {
  it('is booked, and the order that is filled after it too', async () => {
    const { deployment, runner } = await invested(world)
    world.signalService.percentages = { SPY: 40, TLT: 60 }
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    // The sale of 5 of 15 is open.
    world.quotes.set('SPY', decimal('200'))
    account().act([
      { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
      { type: 'SPLIT', symbol: 'SPY', qty: '30' },
    ])
    await poll(runner)
    expect(await healthOf(world, deployment.id)).toBeNull()
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '30 SPY', '44.444444444 TLT'])
    world.stage.holdsFills = false
    world.stage.trade()
    await poll(runner)
    // 5 of the new shares were sold, and what they brought was spent.
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '25 SPY', '55.555555555 TLT'])
    expect(await outcomeOf(world, deployment.id)).toBe('done')
    expect(await agree(deployment.id)).toBe(true)
    await expectSound(world)
  })
})

describe('a trade that the broker takes back after a rebalance has sold its shares', () => {
  it('leaves what is owed with the deployment, told, and the next decision buys it back', async () => {
    const { deployment, runner } = await invested(world)
    const bought = account().activities.find((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')!
    world.signalService.percentages = { GLD: 100 }
    world.toDecision()
    await settle(world, runner, 6)
    expect((await sliceOf(world, deployment.id))[1]).toMatch(/GLD$/)
    account().change(bought.id, { status: 'canceled' })
    const order = account().orders.find(({ id }) => id === bought['order_id'])!
    order.filledQty = decimal('0')
    account().move('SPY', '-15')
    account().cash = account().cash.plus(decimal('6000'))
    await poll(runner)
    await poll(runner)
    expect(await sliceOf(world, deployment.id)).toEqual(['6000', '-15 SPY', '55.40166205 GLD'])
    expect(await told(deployment.id)).toContain('The broker took back an execution, 15 SPY bought at $400.00')
    expect(await agree(deployment.id)).toBe(true)
    world.toDecision()
    await settle(world, runner, 6)
    expect(await sliceOf(world, deployment.id)).toEqual(['0', '55.40166205 GLD'])
    expect(await healthOf(world, deployment.id)).toBeNull()
    await expectBalanced(world)
  })
})

describe('a stop between the sales and the purchases of a rebalance', () => {
  it.each([
    ['keep', ['1000', '12.5 SPY', '44.444444444 TLT']],
    ['sell', ['10000']],
  ] as const)('buys nothing, and what was sold in part stays sold (%s)', async (positions, slice) => {
    const { deployment, runner } = await invested(world)
    world.signalService.percentages = { SPY: 40, GLD: 60 }
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 0.5)
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions })
    world.stage.holdsFills = false
    await settle(world, runner, 8)
    expect((await world.stage.ordersTaken()).filter(({ ticker }) => ticker === 'GLD')).toEqual([])
    expect(await sliceOf(world, deployment.id)).toEqual(slice)
    expect((await deploymentOf(world, deployment.id)).status).toBe('stopped')
    await expectSound(world)
  })
})

describe('a stop that sells everything while an execution is not listed', () => {
  it('waits for it, books it from its order and sells it', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.hidesFills = true
    world.stage.fillPart('SPY', 0.4)
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions: 'sell' })
    world.stage.holdsFills = false
    await settle(world, runner, 5)
    // Its purchase is booked after five minutes, its sale after five more.
    for (let minute = 0; minute < 12; minute++) {
      world.clock.advance(MINUTE)
      await settle(world, runner, 2)
    }
    expect(await sliceOf(world, deployment.id)).toEqual(['10000'])
    expect((await deploymentOf(world, deployment.id)).liquidatingSince).toBeNull()
    await expectSound(world)
  })
})
