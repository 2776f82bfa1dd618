import { Decimal } from '@tradewright/core/decimal'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { healthOf, INVESTED, invested, mailsOf, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { answerHeldOrder } from '../answer-held-order.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

let stage: AlpacaStage
let runner: LiveRunner
let id: number
beforeEach(() => {
  stage = world.stage as AlpacaStage
  runner = world.runner()
})

const health = async () => {
  const { light, booksAgree, reasons } = (await deploymentOverview(world.deps, world.userId, id)).health
  return { light, booksAgree, reasons: reasons.filter((reason) => !reason.includes('open.')) }
}
const NOT_LISTED = {
  light: 'yellow',
  booksAgree: false,
  reasons: ['Broker and books differ: an execution is not listed by the broker yet.'],
}
const AGREED = { light: 'green', booksAgree: true, reasons: [] }
/** The books agree, and a part of the order is missing. */
const PARTLY_TRADED = {
  light: 'yellow',
  booksAgree: true,
  reasons: [
    'The order to buy SPY was cancelled at the broker, and not by this program. It is not sent again until you choose: ' +
      'send it again, or leave it.',
  ],
}

/** Two orders are open. Of SPY, 6 of 15 are bought and listed, and 3 that never are; the rest is cancelled. */
async function cancelledInPart(): Promise<void> {
  stage.holdsFills = true
  id = (await world.deployed()).id
  world.toDecision()
  await settle(world, runner, 2)
  stage.fillPart('SPY', 0.4)
  await settle(world, runner, 2)
  world.quotes.set('SPY', Decimal.parse('410'))
  const order = stage.standIn.account.orders.find(({ symbol }) => symbol === 'SPY')
  stage.standIn.account.fill(order!.clientOrderId, '3', '410')
  const { activities } = stage.standIn.account
  activities.splice(
    activities.findIndex(({ activity_type, qty }) => activity_type === 'FILL' && qty === '3'),
    1,
  )
  await stage.cancelByHand('SPY')
  stage.trade()
  await settle(world, runner, 3)
}

describe('an order that was cancelled in part, with an execution that is never listed', () => {
  it('leaves the light yellow for five minutes and is then booked from the order, at its own price', async () => {
    await cancelledInPart()
    expect(await health()).toEqual(NOT_LISTED)
    world.clock.advance(4 * MINUTE)
    await settle(world, runner, 2)
    expect(await health()).toEqual(NOT_LISTED)
    world.clock.advance(MINUTE)
    await settle(world, runner, 3)
    expect(await health()).toEqual(PARTLY_TRADED)
    // 6 at $400, 3 at $410, and the bonds.
    expect(await sliceOf(world, id)).toEqual(['2370', '44.444444444 TLT', '9 SPY'])
    expect(await outcomeOf(world, id)).toBe('incomplete')
    expect(await activityOf(world, id)).toContain(
      'The broker does not list an execution: 3 SPY bought at $410.00, booked from the order.',
    )
    await expectSound(world)
  })

  it.each([
    ['to the billionth', (average: string) => average],
    ['to four places', (average: string) => Number(average).toFixed(4)],
  ])(
    'has its own price, exact to the cent, where older executions are no longer listed: average %s',
    async (_, told) => {
      await cancelledInPart()
      const { account } = stage.standIn
      const isOlder = ({ activity_type, qty }: { activity_type: string; qty?: string }) =>
        activity_type === 'FILL' && qty === '6'
      const older = account.activities.findIndex(isOlder)
      expect(older).toBeGreaterThanOrEqual(0)
      account.activities.splice(older, 1)
      const asks = stage.broker.orderByClientId.bind(stage.broker)
      Object.assign(stage.broker, {
        orderByClientId: async (id: string) => {
          const order = await asks(id)
          const averageFillPrice = order?.averageFillPrice && Decimal.parse(told(String(order.averageFillPrice)))
          return order && { ...order, averageFillPrice }
        },
      })
      world.clock.advance(5 * MINUTE)
      await settle(world, runner, 2)
      const slice = await world.deps.database.books.slice(world.accountId, id)
      // 6 at $400 and 3 at $410, not 9 at the average of $403.33; 44.444444444 at $90.
      expect(String(slice.cash)).toBe('2370.00000004')
      expect(await activityOf(world, id)).toContain(
        'The broker does not list an execution: 3 SPY bought at $410.00, booked from the order.',
      )
      expect(await health()).toEqual(PARTLY_TRADED)
      await expectSound(world)
    },
  )

  it('is found by a process that is restarted every minute', async () => {
    await cancelledInPart()
    for (let minute = 0; minute < 5; minute++) {
      await runner.close()
      runner = world.runner()
      world.clock.advance(MINUTE)
      await settle(world, runner, 2)
    }
    expect(await health()).toEqual(PARTLY_TRADED)
    await expectSound(world)
  })

  it('is a disagreement, by e-mail too, where the position differs by something else', async () => {
    await cancelledInPart()
    stage.standIn.account.move('SPY', '1')
    world.clock.advance(5 * MINUTE)
    await settle(world, runner, 3)
    const sentence = 'The broker holds 10 SPY, but the books say 6.'
    expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
    expect((await health()).reasons.join(' ')).toContain(sentence)
    expect((await mailsOf(world)).filter(({ text }) => text.includes(sentence))).toHaveLength(1)
    // The way out: the figures of the broker are accepted, and trading goes on.
    await acceptBroker(world.deps, world.userId, id)
    world.clock.advance(61 * SECOND)
    await settle(world, runner, 2)
    expect(await health()).toEqual(PARTLY_TRADED)
    stage.holdsFills = false
    await answerHeldOrder(world.deps, world.userId, id, { ticker: 'SPY', side: 'buy' }, 'send')
    world.toDecision()
    await settle(world, runner, 6)
    expect(await outcomeOf(world, id)).toBe('done')
    expect(await healthOf(world, id)).toBeNull()
  })
})

it('an account whose executions never stand still is told after five minutes', async () => {
  const held = await invested(world, runner)
  id = held.deployment.id
  let isBusy = true
  const fills = stage.broker.fills.bind(stage.broker)
  // Another program buys and sells between any two readings.
  Object.assign(stage.broker, {
    fills: async (...question: Parameters<typeof fills>) => {
      if (isBusy) await stage.tradeByHand('buy', 'GLD', '1')
      return fills(...question)
    },
  })
  world.clock.advance(61 * SECOND)
  await settle(world, runner, 1)
  expect(await health()).toMatchObject({ light: 'yellow', booksAgree: false })
  world.clock.advance(5 * MINUTE)
  await settle(world, runner, 1)
  world.clock.advance(61 * SECOND)
  await settle(world, runner, 1)
  expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
  expect((await health()).reasons.join(' ')).toContain('keep coming in')
  isBusy = false
  world.clock.advance(61 * SECOND)
  await settle(world, runner, 2)
  expect(await health()).toEqual(AGREED)
  expect(await sliceOf(world, id)).toEqual(INVESTED)
  await expectSound(world)
})

it('waiting for an execution that is not listed uses half of the broker’s allowance at most', async () => {
  await cancelledInPart()
  for (let second = 0; second < 10; second++) await settle(world, runner, 1)
  const before = stage.standIn.requests.length
  for (let second = 0; second < 60; second++) await settle(world, runner, 1)
  expect(stage.standIn.requests.length - before).toBeLessThan(100)
})
