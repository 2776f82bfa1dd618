import type { Note } from '@tradewright/core/note'
import { describe, expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, healthOf } from '../../../test-support/live/live-story.ts'
import { type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { deploymentOverview } from '../views.ts'
import { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const problem = (code: string, sentence: string): Note => ({ code, level: 'error', sentence })
const change = (id: number, healthProblem: Note | null) => world.deps.database.deployments.change(id, { healthProblem })

describe('a problem is over by its code, however its sentence is worded', () => {
  it.each(['account.unusable', 'deployment.disagreement'])('%s is over when broker and books agree', async (code) => {
    const { id } = await world.deployed()
    await change(id, problem(code, 'The bank is closed.'))
    await settle(world, world.runner(), 1)
    expect(await healthOf(world, id)).toBeNull()
  })

  it('any other waits for the next decision', async () => {
    const { id } = await world.deployed()
    await change(id, problem('deployment.data', 'Broker and books disagree about nothing.'))
    await settle(world, world.runner(), 1)
    expect(await healthOf(world, id)).toBe('Broker and books disagree about nothing.')
  })
})

it('a database that is busy leaves a deployment as it was, and the log says that it waits', async () => {
  const { id } = await world.deployed()
  const first = world.runner()
  await settle(world, first, 2)
  await first.close()
  const before = await deploymentOf(world, id)
  const busy = async (): Promise<never> => {
    throw new Error('timeout exceeded when trying to connect')
  }
  const runner = new LiveRunner({ ...world.deps, brokerFor: busy })
  for (let beat = 0; beat < 3; beat++) {
    world.clock.advance(61_000)
    await runner.tick()
  }
  const { status, healthProblem } = await deploymentOf(world, id)
  expect([status, healthProblem]).toEqual([before.status, null])
  const lines = await world.deps.database.journal.logTail(id, 50)
  expect(lines.join('\n')).toContain('Waiting: The server is busy')
  await runner.close()
  await settle(world, world.runner(), 2)
  expect(await healthOf(world, id)).toBeNull()
})

it('a disagreement is told once, and beside another problem', async () => {
  const { id } = await world.deployed()
  await settle(world, world.runner(), 1)
  const disagreement = 'The broker holds 1 SPY, but the books say 2.'
  await world.database.database.updateTable('account_books').set({ disagreement }).execute()
  const reasons = async (): Promise<readonly string[]> => {
    const { health } = await deploymentOverview(world.deps, world.userId, id)
    return health.reasons.filter((reason) => reason !== 'No process is running it yet.')
  }
  await change(id, problem('deployment.disagreement', 'They differ.'))
  expect(await reasons()).toEqual(['They differ.'])
  await change(id, problem('deployment.data', 'There is no data for SPY.'))
  expect(await reasons()).toEqual(['There is no data for SPY.', disagreement])
})
