import { MINUTE } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { INVESTED, invested, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { STAND_IN_KEYS } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { watchTradeUpdates } from '../../adapters/alpaca/trade-updates.ts'
import { LiveRunner } from './runner.ts'

let database: TestDatabase
let world: LiveWorld
let stage: AlpacaStage
let runner: LiveRunner
let rings: number
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  rings = 0
  world = await liveWorld({
    database,
    stage: async (market) => (stage = await alpacaStage(market)),
  })
  const { deps } = world.process()
  runner = new LiveRunner(deps, {
    compareMs: 10 * MINUTE,
    watch: (_userId, _accountId, onNews) =>
      watchTradeUpdates({
        address: async () => ({ baseUrl: stage.standIn.url, keys: STAND_IN_KEYS }),
        onNews: () => {
          rings++
          onNews()
        },
        log: deps.log,
        pauseBefore: () => 1,
      }),
  })
})
afterEach(async () => {
  await runner.close()
  await world.close()
})
afterAll(() => database.close())

const untilRung = (atLeast: number) => expect.poll(() => rings).toBeGreaterThanOrEqual(atLeast)

/** Between two comparisons of a quiet account only a signal makes it poll. */
async function quiet() {
  const { deployment } = await invested(world, runner)
  await untilRung(1)
  world.clock.advance(MINUTE)
  await settle(world, runner, 2)
  return { deployment, before: rings }
}

it('a trade by hand is known at once where the stream tells it', async () => {
  const { deployment, before } = await quiet()
  await stage.tradeByHand('buy', 'SPY', '3')
  await untilRung(before + 1)
  await runner.tick()
  expect((await activityOf(world, deployment.id)).join('\n')).toContain('3 SPY bought at $400.00')
  await expectSound(world)
})

it('a trade that the stream keeps to itself is known by looking, only later', async () => {
  const { deployment } = await quiet()
  stage.standIn.stream.isSilent = true
  await stage.tradeByHand('buy', 'SPY', '3')
  await settle(world, runner, 2)
  expect((await activityOf(world, deployment.id)).join('\n')).not.toContain('3 SPY bought')
  world.clock.advance(10 * MINUTE)
  await runner.tick()
  expect((await activityOf(world, deployment.id)).join('\n')).toContain('3 SPY bought at $400.00')
  await expectSound(world)
})

it('executions that the stream invents, repeats or forgets are not booked by its word', async () => {
  const { deployment, before } = await quiet()
  const [order] = stage.standIn.account.orders
  for (let i = 0; i < 5; i++) stage.standIn.stream.tell('fill', { ...order!, filledQty: order!.filledQty })
  stage.standIn.stream.say({ stream: 'trade_updates', data: { event: 'fill', qty: '1000000', price: '0.01' } })
  await untilRung(before + 6)
  await settle(world, runner, 3)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  await expectSound(world)
})

it('however often it rings, an account is asked no more than once a second', async () => {
  const { before } = await quiet()
  const callsBefore = stage.standIn.requests.length
  stage.standIn.stream.say({ stream: 'trade_updates', data: {} })
  await untilRung(before + 1)
  await runner.tick()
  const callsOfOnePoll = stage.standIn.requests.length - callsBefore
  expect(callsOfOnePoll).toBeGreaterThan(0)
  for (let i = 0; i < 10; i++) stage.standIn.stream.say({ stream: 'trade_updates', data: {} })
  await untilRung(before + 11)
  // No time has passed.
  for (let i = 0; i < 5; i++) await runner.tick()
  expect(stage.standIn.requests.length - callsBefore).toBe(callsOfOnePoll)
  await settle(world, runner, 2)
  expect(stage.standIn.requests.length - callsBefore).toBe(2 * callsOfOnePoll)
})
