import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { expireLeases, healthOf, INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { controlDeployment } from '../control.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

it('two processes that start at once decide once, and each deployment is one’s', async () => {
  const deployments = [await world.deployed(), await world.deployed({ name: 'Another' })]
  const runners = [world.process().runner, world.process().runner]
  world.toDecision()
  await settle(world, runners, 5)
  expect(await world.stage.ordersTaken()).toHaveLength(4)
  for (const { id } of deployments) {
    const decisions = await world.database.database
      .selectFrom('deployment_decisions')
      .selectAll()
      .where('deployment_id', '=', id)
      .execute()
    expect(decisions).toHaveLength(1)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect(await healthOf(world, id)).toBeNull()
  }
  await expectSound(world)
})

it('one takes over when the other dies, finds its orders and says so', async () => {
  const deployment = await world.deployed()
  world.toDecision()
  world.stage.holdsFills = true
  const [dying, other] = [world.process().runner, world.process().runner]
  await dying.tick()
  await settle(world, other, 2)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  await expireLeases(world)
  world.stage.trade()
  await settle(world, other, 4)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect(await activityOf(world, deployment.id)).toContain('The process that ran it has died; this one has taken over.')
  await expectSound(world)
})

it('one takes up what was stopped and started again, and no process is reported dead', async () => {
  const deployment = await world.deployed()
  const [first, second] = [world.process().runner, world.process().runner]
  await first.tick()
  await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
  await first.tick()
  expect(await world.deps.database.leases.attendance(deployment.id)).toBe('none')
  await controlDeployment(world.deps, world.userId, deployment.id, 'start')
  world.toDecision()
  await settle(world, second, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  expect((await activityOf(world, deployment.id)).join('\n')).not.toContain('died')
})

it('one that lost its lease on the way sends nothing', async () => {
  await world.deployed()
  world.toDecision()
  const lost: Promise<unknown>[] = []
  const slow = world.process((step) => {
    if (step !== 'decision-committed') return
    const holder = '00000000-0000-4000-8000-000000000000'
    lost.push(world.database.database.updateTable('deployment_leases').set({ holder }).execute())
  })
  // The lease is gone before the first order is claimed.
  const { orders } = slow.deps.database
  const claim = orders.claim.bind(orders)
  orders.claim = async (...claimed) => {
    await Promise.all(lost)
    return claim(...claimed)
  }
  await slow.runner.tick()
  orders.claim = claim
  expect(lost).toHaveLength(1)
  expect(await world.stage.ordersTaken()).toEqual([])
  await expireLeases(world)
  await settle(world, world.process().runner, 4)
  expect(await world.stage.ordersTaken()).toHaveLength(2)
  await expectSound(world)
})

it('one process polls at an account once at a time, however its beats overlap', async () => {
  await world.deployed()
  const { deps, runner } = world.process()
  world.toDecision()
  await runner.tick()
  world.clock.advance(1_000)
  const { books } = deps.database
  const ask = books.state.bind(books)
  const bothPolled = Promise.withResolvers<void>()
  let polls = 0
  books.state = async (id) => {
    polls++
    await bothPolled.promise
    return ask(id)
  }
  // Each poll ends with this, when it has found its accounts.
  const { deploymentLog } = deps
  const flush = deploymentLog.flush.bind(deploymentLog)
  let beats = 0
  deploymentLog.flush = () => {
    if (++beats === 2) bothPolled.resolve()
    return flush()
  }
  const [first, second] = [runner.tick(), runner.tick()]
  await Promise.all([first, second])
  books.state = ask
  expect(polls).toBe(1)
  await expectSound(world)
})
