import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import type { LiveWorld } from '../../../test-support/live/live-world.ts'
import { createLeaseStore } from './leases.ts'

const SECONDS = 30

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const expiry = async () => {
  const { rows } = await world.database.pool.query<{ expires_at: Date }>('SELECT expires_at FROM deployment_leases')
  return rows[0]!.expires_at.getTime()
}

const age = (seconds: number) =>
  world.database.pool.query('UPDATE deployment_leases SET expires_at = expires_at - make_interval(secs => $1)', [
    seconds,
  ])

it('a lease is kept while most of its time is left, renewed after that, and taken over when it has run out', async () => {
  const { id } = await world.deployed()
  const leases = createLeaseStore(world.database.database)
  const [mine, other] = [randomUUID(), randomUUID()]
  const ofClaim = async (holder: string) => {
    const { held, takenOver } = await leases.claim(holder, SECONDS)
    return { held: held.map((deployment) => deployment.id), takenOver: [...takenOver] }
  }
  expect(await ofClaim(mine)).toEqual({ held: [id], takenOver: [] })
  const first = await expiry()
  expect(await ofClaim(mine)).toEqual({ held: [id], takenOver: [] })
  expect(await expiry()).toBe(first)
  await age(15)
  expect(await ofClaim(other)).toEqual({ held: [], takenOver: [] })
  expect(await ofClaim(mine)).toEqual({ held: [id], takenOver: [] })
  expect(await expiry()).toBeGreaterThanOrEqual(first)
  await age(SECONDS + 1)
  expect(await leases.held([id], mine)).toEqual(new Set())
  expect(await ofClaim(other)).toEqual({ held: [id], takenOver: [id] })
  expect(await leases.held([id], other)).toEqual(new Set([id]))
  expect(await ofClaim(mine)).toEqual({ held: [], takenOver: [] })
})
