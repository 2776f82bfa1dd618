import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, healthOf, INVESTED, invested, sliceOf } from '../../../test-support/live/live-story.ts'
import { liveWorld, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { deploymentOverview } from '../views.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })

const decimal = (text: string) => Decimal.parse(text)
const standIn = () => (world.stage as AlpacaStage).standIn
const light = async (id: number) => (await deploymentOverview(world.deps, world.userId, id)).health

it('a wrong price of a position moves no money while its quote and the last close contradict it', async () => {
  const { deployment, runner } = await invested(world)
  standIn().account.wrongPrices.set('SPY', decimal('200'))
  const sent = (await world.stage.ordersTaken()).length
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect((await world.stage.ordersTaken()).length).toBe(sent)
  expect(await healthOf(world, deployment.id)).toBe(
    'SPY has prices that contradict each other: $200.00 by its position at the broker, $400.00 by its quote, $400.00 at the last close. Nothing is traded until they agree.',
  )
  standIn().account.wrongPrices.clear()
  world.clock.advance(MINUTE)
  await settle(world, runner, 3)
  expect(await healthOf(world, deployment.id)).toBeNull()
})

it('a gap that the quote confirms is traded', async () => {
  const { deployment, runner } = await invested(world)
  const signal = world.signalService.signal.bind(world.signalService)
  world.signalService.signal = async (question) => {
    const answer = await signal(question)
    return { ...answer, prices: new Map([...answer.prices, ['SPY', 400]]) }
  }
  world.quotes.set('SPY', decimal('300'))
  world.toDecision()
  await settle(world, runner, 6)
  expect((await sliceOf(world, deployment.id)).find((one) => one.endsWith('SPY'))).not.toBe('15 SPY')
  expect(await healthOf(world, deployment.id)).toBeNull()
})

it('whole shares that are not held yet are counted by their offer, not by the last close', async () => {
  const own = await liveWorld({ cash: '100000', percentages: { SPY: 100 } })
  own.broker.wholeSharesOnly.add('SPY')
  const signal = own.signalService.signal.bind(own.signalService)
  own.signalService.signal = async (question) => ({
    ...(await signal(question)),
    prices: new Map([['SPY', 380]]),
  })
  const { id } = await own.deployed({ capitalPolicyValue: decimal('10000') })
  own.toDecision()
  await settle(own, own.runner(), 4)
  // 25 by the close would have cost $10,000 and more.
  expect(await sliceOf(own, id)).toEqual(['400', '24 SPY'])
  await own.close()
})

it('the light is not green while something that was wanted is missing', async () => {
  const { id } = await world.deployed()
  world.stage.placeFaults.push('refused')
  world.toDecision()
  const runner = world.runner()
  await settle(world, runner, 4)
  expect(await deploymentOf(world, id)).toMatchObject({ lastTrade: { isComplete: false } })
  const { light: shown, reasons } = await light(id)
  expect(shown).toBe('yellow')
  expect(reasons.join(' ')).toMatch(
    /The broker did not take the order to buy SPY: insufficient buying power\. It is tried again after 2026-03-03 20:31 UTC\./,
  )
  world.toDecision()
  await settle(world, runner, 4)
  expect((await light(id)).light).toBe('green')
})
