import { HOUR, MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../test-support/live/each-in-a-world.ts'
import { INVESTED, sliceOf } from '../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settingsOf, settle } from '../../test-support/live/live-world.ts'
import { holdOrders } from '../stores/live-trading/held-orders.ts'
import { checkNow } from './check-now.ts'
import { controlDeployment } from './control.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const check = (id: number) => checkNow(world.deps, world.userId, id)

it('a check on request decides at once, and leaves the next scheduled run as it was', async () => {
  const deployment = await world.deployed()
  // The middle of the session, hours before its own run.
  world.clock.advance(3 * HOUR)
  expect(await check(deployment.id)).toMatchObject({ outcome: 'due' })
  await settle(world, world.runner(), 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  const after = await world.deps.database.deployments.byId(deployment.id)
  expect(after?.nextRunAt).toEqual(deployment.nextRunAt)
  expect(await activityOf(world, deployment.id)).toContain('Checked on request.')
  await expectSound(world)
})

it('asked again before, right after and by two at once, it is one check', async () => {
  const deployment = await world.deployed()
  world.clock.advance(3 * HOUR)
  const both = await Promise.all([check(deployment.id), check(deployment.id)])
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(['already_due', 'due'])
  await settle(world, world.runner(), 4)
  expect(await check(deployment.id)).toMatchObject({ outcome: 'just_checked' })
  world.clock.advance(2 * MINUTE)
  expect(await check(deployment.id)).toMatchObject({ outcome: 'due' })
  await settle(world, world.runner(), 4)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
})

it('while the market is closed and on other days nothing is sent, and it says why', async () => {
  const deployment = await world.deployed()
  expect(await check(deployment.id)).toEqual({
    outcome: 'market_closed',
    sentence: 'Nothing was sent: the market is closed.',
    nextRunAt: deployment.nextRunAt,
  })
  const friday = await world.deployed({ settings: settingsOf({ tradingDays: ['Friday'] }) })
  world.clock.advance(3 * HOUR)
  expect(await check(friday.id)).toMatchObject({ outcome: 'not_a_trading_day' })
  await settle(world, world.runner(), 2)
  expect(await world.stage.ordersTaken()).toEqual([])
})

it('what is not running is not checked', async () => {
  const deployment = await world.deployed()
  await controlDeployment(world.deps, world.userId, deployment.id, 'pause')
  await expect(check(deployment.id)).rejects.toThrow('Only a running deployment is checked. Start it first.')
})

it('in an instance that was restored from a backup it says that nothing is checked, and nothing is due once it may trade', async () => {
  const deployment = await world.deployed()
  world.clock.advance(3 * HOUR)
  const client = await world.database.pool.connect()
  await holdOrders(client).finally(() => client.release())
  await expect(check(deployment.id)).rejects.toThrow('This instance was restored from a backup')
  expect((await world.deps.database.deployments.byId(deployment.id))?.nextRunAt).toEqual(deployment.nextRunAt)
})

it('a clock that was days ahead and is set right puts no run off', async () => {
  const deployment = await world.deployed()
  const runner = world.runner()
  await settle(world, runner, 1)
  const right = world.clock.now()
  world.clock.advance(3 * 24 * HOUR)
  await settle(world, runner, 2)
  const byId = () => world.deps.database.deployments.byId(deployment.id)
  expect((await byId())!.nextRunAt!.getTime()).toBeGreaterThan(deployment.nextRunAt!.getTime())
  world.clock.jumpTo(new Date(right.getTime() + MINUTE))
  await settle(world, runner, 2)
  expect((await byId())!.nextRunAt).toEqual(deployment.nextRunAt)
  expect((await activityOf(world, deployment.id)).join(' ')).toMatch(
    /The clock of the server went back by 2 d 23 h\. The next check is on /,
  )
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  await expectSound(world)
})
