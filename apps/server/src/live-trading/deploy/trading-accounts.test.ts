import { Decimal } from '@tradewright/core/decimal'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { INVESTED, invested, sliceOf } from '../../../test-support/live/live-story.ts'
import { type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { controlDeployment } from '../control.ts'
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

it('what a stopped deployment kept is neither allocated nor available, and the three are the whole account', async () => {
  const { deployment } = await invested(world)
  await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
  const account = (await findTradingAccount(world.deps, world.userId, world.accountId))!
  const { equity, availableCapital } = account.figures!
  expect(String(account.percentAllocated)).toBe('0')
  expect(account.percentKept.isPositive).toBe(true)
  const kept = account.percentKept.times(equity).dividedBy(Decimal.parse('100'))
  expect(String(kept.plus(availableCapital).rounded(2))).toBe(String(equity.rounded(2)))
})
