import { expect, it } from 'vitest'
import { eachInAWorld } from '../../test-support/live/each-in-a-world.ts'
import { INVESTED, sliceOf } from '../../test-support/live/live-story.ts'
import { type LiveWorld, settle } from '../../test-support/live/live-world.ts'
import { accountPositions, findTradingAccount } from './trading-accounts.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const freeOf = async () =>
  (await accountPositions(world.deps, world.userId, world.accountId)).map(
    ({ position, available }) => `${String(available)} ${position.ticker}`,
  )
const figures = async () => {
  const account = await findTradingAccount(world.deps, world.userId, world.accountId)
  return [account!.figures!.availableCash, account!.figures!.availableCapital].map(String)
}

it('shares and cash of an order are free neither while it fills nor afterwards', async () => {
  const deployment = await world.deployed()
  const { runner } = world.process()
  const before = await figures()
  world.stage.holdsFills = true
  world.toDecision()
  await runner.tick()
  world.stage.fillPart('SPY', 0.5)
  expect(await freeOf()).toEqual(['0 SPY'])
  expect(await figures()).toEqual(before)
  world.stage.holdsFills = false
  world.stage.trade()
  await settle(world, runner, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect(await freeOf()).toEqual(['0 SPY', '0 TLT'])
  expect(await figures()).toEqual(before)
})
