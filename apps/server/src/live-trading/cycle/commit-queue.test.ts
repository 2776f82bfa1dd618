import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, healthOf, INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDatabase } from '../ports/database.ts'
import type { NewDecision } from '../ports/decisions.ts'
import type { OnStep } from './order-steps.ts'
import { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const three = async (): Promise<Deployment[]> => [
  await world.deployed(),
  await world.deployed({ name: 'Another' }),
  await world.deployed({ name: 'A third' }),
]

/** Runs deployments on the database of the world, and tells what is written together. */
function watched(beforeWriting: (decisions: readonly NewDecision[]) => void, onStep?: OnStep): LiveRunner {
  const { database } = world.deps
  const watching: LiveDatabase = {
    ...database,
    transaction: (work) =>
      database.transaction((stores) => {
        const insert = async (decisions: readonly NewDecision[]) => {
          beforeWriting(decisions)
          return stores.decisions.insert(decisions)
        }
        return work({ ...stores, decisions: { ...stores.decisions, insert } })
      }),
  }
  const step = onStep && { onStep }
  return new LiveRunner({ ...world.deps, ...step, database: watching, holder: randomUUID() })
}

it('decisions of one account that are made at one instant are written in one transaction', async () => {
  const deployments = await three()
  const written: number[] = []
  world.toDecision()
  await settle(
    world,
    watched(({ length }) => written.push(length)),
    4,
  )
  expect(written).toEqual([3])
  for (const { id } of deployments) {
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect((await deploymentOf(world, id)).nextRunAt! > world.clock.now()).toBe(true)
  }
  await expectSound(world)
})

it('one that was stopped meanwhile is left out, and the others decide', async () => {
  const [stopped, ...others] = await three()
  const written: number[][] = []
  world.toDecision()
  const runner = watched(
    (decisions) => written.push(decisions.map(({ deploymentId }) => deploymentId)),
    (step) => {
      if (step === 'signal-known') world.deps.gate.close({ deployment: stopped!.orderKey })
    },
  )
  await runner.tick()
  expect(written).toEqual([others.map(({ id }) => id)])
  world.deps.gate.open({ deployment: stopped!.orderKey })
  await settle(world, runner, 3)
  for (const { id } of others) expect(await sliceOf(world, id)).toEqual(INVESTED)
  expect(await healthOf(world, stopped!.id)).toBe('The deployment is no longer running.')
  await expectSound(world)
})

it('what cannot be written together is written one by one, and only who fails alone has failed', async () => {
  const [poisoned, ...others] = await three()
  world.toDecision()
  const runner = watched((decisions) => {
    if (decisions.some(({ deploymentId }) => deploymentId === poisoned!.id)) throw new Error('cannot be written')
  })
  await settle(world, runner, 4)
  for (const { id } of others) {
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect(await healthOf(world, id)).toBeNull()
  }
  expect(await healthOf(world, poisoned!.id)).toBe('Something went wrong on our side. The failure was logged.')
  expect(await world.deps.database.decisions.latest(poisoned!.id)).toBeUndefined()
  await expectSound(world)
})

it('a problem that is over is told with the decision that ended it', async () => {
  const deployment = await world.deployed()
  await world.deps.database.deployments.change(deployment.id, {
    healthProblem: { code: 'rain', level: 'error', sentence: 'It rained.' },
  })
  world.toDecision()
  await settle(world, world.runner(), 3)
  expect(await healthOf(world, deployment.id)).toBeNull()
  expect(await activityOf(world, deployment.id)).toContain('Trading as planned again.')
})
