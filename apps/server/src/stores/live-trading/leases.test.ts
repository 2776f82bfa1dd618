import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf } from '../../../test-support/live/live-story.ts'
import { type LiveWorld, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { countSystem } from '../observe/operator.ts'
import { holdOrders, releaseOrders } from './held-orders.ts'
import { createLeaseStore } from './leases.ts'

const SECONDS = 30

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const expiry = async (id: number) => {
  const { rows } = await world.database.pool.query<{ expires_at: Date }>(
    'SELECT expires_at FROM deployment_leases WHERE deployment_id = $1',
    [id],
  )
  return rows[0]!.expires_at.getTime()
}

const age = (seconds: number) =>
  world.database.pool.query('UPDATE deployment_leases SET expires_at = expires_at - make_interval(secs => $1)', [
    seconds,
  ])

const leases = () => createLeaseStore(world.database.database)

async function claimed(holder: string) {
  const { held, takenOver } = await leases().claim(holder, SECONDS)
  return { held: held.map((deployment) => deployment.id), takenOver: [...takenOver] }
}

it('all deployments of an account are one process’s, whichever asks first', async () => {
  const first = await world.deployed()
  const [mine, other] = [randomUUID(), randomUUID()]
  expect(await claimed(mine)).toEqual({ held: [first.id], takenOver: [] })
  const second = await world.deployed({ name: 'Another' })
  expect(await claimed(other)).toEqual({ held: [], takenOver: [] })
  expect(await claimed(mine)).toEqual({ held: [first.id, second.id], takenOver: [] })
  await age(SECONDS + 1)
  expect(await claimed(other)).toEqual({ held: [first.id, second.id], takenOver: [first.id, second.id] })
})

it('processes that ask at once divide no account', async () => {
  await world.deployed()
  await world.deployed({ name: 'Another' })
  const answers = await Promise.all(Array.from({ length: 4 }, () => claimed(randomUUID())))
  expect(answers.map(({ held }) => held.length).sort((a, b) => a - b)).toEqual([0, 0, 0, 2])
})

it('processes share accounts by their capacity, and what one has too much another takes', async () => {
  const { clock, database } = world
  const others = [await liveWorld({ database, clock }), await liveWorld({ database, clock })]
  const worlds = [world, ...others]
  for (const one of worlds) await one.deployed()
  await leases().expireAll()
  const [mine, other] = [randomUUID(), randomUUID()]
  const first = await leases().claim(mine, SECONDS, 2)
  expect([first.held.length, first.surplus]).toEqual([3, 0])
  // Nothing is taken away: the one that has more than its share releases what has no work.
  expect((await leases().claim(other, SECONDS, 1)).held).toEqual([])
  const again = await leases().claim(mine, SECONDS, 2)
  expect([again.held.length, again.surplus]).toEqual([3, 1])
  await leases().release(mine, [again.held[2]!.id])
  const second = await leases().claim(other, SECONDS, 1)
  expect(second.held.map(({ id }) => id)).toEqual([again.held[2]!.id])
  expect([...second.takenOver]).toEqual([])
  expect((await leases().claim(mine, SECONDS, 2)).held).toHaveLength(2)
  await leases().release(other)
  expect((await leases().claim(mine, SECONDS, 2)).held).toHaveLength(3)
  for (const one of others) await one.stage.close()
})

it('a lease is kept while most of its time is left, renewed after that, and taken over when it has run out', async () => {
  const { id } = await world.deployed()
  const [mine, other] = [randomUUID(), randomUUID()]
  expect(await claimed(mine)).toEqual({ held: [id], takenOver: [] })
  const first = await expiry(id)
  expect(await claimed(mine)).toEqual({ held: [id], takenOver: [] })
  expect(await expiry(id)).toBe(first)
  await age(15)
  expect(await claimed(other)).toEqual({ held: [], takenOver: [] })
  expect(await claimed(mine)).toEqual({ held: [id], takenOver: [] })
  expect(await expiry(id)).toBeGreaterThanOrEqual(first)
  await age(SECONDS + 1)
  expect(await leases().held([id], mine)).toEqual(new Set())
  expect(await claimed(other)).toEqual({ held: [id], takenOver: [id] })
  expect(await leases().held([id], other)).toEqual(new Set([id]))
  expect(await claimed(mine)).toEqual({ held: [], takenOver: [] })
})

it('what a restore holds back no process takes, until the operator releases it', async () => {
  const { id } = await world.deployed()
  const client = await world.database.pool.connect()
  try {
    expect(await holdOrders(client)).toBe(1)
    const later = await world.deployed({ name: 'Deployed since' })
    await leases().expireAll()
    expect(await claimed(randomUUID())).toEqual({ held: [], takenOver: [] })
    expect(await leases().attendance(id)).toBe('held')
    expect(await leases().attendance(later.id), 'of the same account').toBe('held')
    expect(await countSystem(world.database.database)).toMatchObject({
      runningDeployments: 2,
      unattendedDeployments: 2,
    })
    expect(await releaseOrders(client, [world.accountId])).toBe(1)
    expect(await leases().attendance(id)).toBe('none')
    expect((await claimed(randomUUID())).held).toEqual([id, later.id])
  } finally {
    client.release()
  }
})

it('a restored instance sends nothing to its brokers, no cancellation either', async () => {
  const deployment = await world.deployed()
  const client = await world.database.pool.connect()
  try {
    await holdOrders(client)
    const machine = world.process()
    world.toDecision()
    await settle(world, machine.runner, 3)
    expect(await world.database.pool.query('SELECT FROM deployment_decisions')).toMatchObject({ rowCount: 0 })
    expect((await deploymentOf(world, deployment.id)).status).toBe('running')
    await releaseOrders(client, [world.accountId])
    await settle(world, machine.runner, 3)
    expect((await world.database.pool.query('SELECT FROM deployment_decisions')).rowCount).toBe(1)
  } finally {
    client.release()
  }
})
