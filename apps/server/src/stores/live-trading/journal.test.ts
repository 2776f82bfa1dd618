import { DAY, HOUR } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { invested, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, type LiveWorld, logOf } from '../../../test-support/live/live-world.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened))

it('forgets old log lines and checks that held, but no trade, no first decision on a bar and not the newest', async () => {
  const { deployment } = await invested(world)
  const { id } = deployment
  const { decisions, journal } = world.deps.database
  const traded = (await decisions.latest(id))!
  const held = (hours: number, dataAsOf: number) => ({
    deploymentId: id,
    decidedFor: new Date(traded.decidedFor.getTime() + hours * HOUR),
    decidedAt: new Date(traded.decidedAt.getTime() + hours * HOUR),
    expiresAt: traded.expiresAt,
    outcome: 'held' as const,
    reason: 'Nothing to trade.',
    isPartial: false,
    signal: { ...traded.signal, dataAsOf },
  })
  for (const [hours, bar] of [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
  ] as const) {
    await decisions.insert([held(hours, bar)])
    await journal.tell([
      {
        deploymentId: id,
        at: held(hours, bar).decidedAt,
        activity: { type: 'signal', signalType: 'Allocation', confidence: null, action: `Hold: check ${hours}.` },
      },
    ])
  }
  const byBar = await decisions.firstByBar(id)
  const before = await activityOf(world, id)
  expect(before.filter((one) => one.startsWith('Hold:'))).toHaveLength(5)
  expect(await logOf(world, id)).not.toBe('')

  await journal.forget(new Date(world.clock.now().getTime() - DAY))
  expect(await activityOf(world, id)).toEqual(before)
  await journal.forget(new Date(world.clock.now().getTime() + DAY))
  expect((await activityOf(world, id)).filter((one) => one.startsWith('Hold:'))).toEqual([])
  expect((await activityOf(world, id)).length).toBe(before.length - 5)
  expect(await logOf(world, id)).toBe('')
  expect(await decisions.firstByBar(id)).toEqual(byBar)
  const { rows } = await world.database.pool.query<{ decided_for: Date }>(
    `SELECT decided_for FROM deployment_decisions WHERE outcome = 'held' ORDER BY decided_for`,
  )
  // The first of each of the two bars, and the newest of all.
  expect(rows.map(({ decided_for: at }) => (at.getTime() - traded.decidedFor.getTime()) / HOUR)).toEqual([1, 4, 5])
  expect((await sliceOf(world, id)).length).toBe(3)
})
