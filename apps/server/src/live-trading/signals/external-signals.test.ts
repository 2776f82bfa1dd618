import type { SignalTarget } from '@tradewright/core/external-signal'
import { dateOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { engineSignalService } from '../../../test-support/live/engine-signal-service.ts'
import { deployedSignals, externalDeps } from '../../../test-support/live/external-story.ts'
import { expectSound, liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { goTo, rulesData } from '../../../test-support/live/rules-story.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { decisionToWire } from '../../http/live-trading/watch-wire.ts'
import { LiveRunner } from '../cycle/runner.ts'
import { endOfDay } from '../end-of-day/end-of-day.ts'

const data = rulesData()
const days = [...nyse.sessionsBetween(dateOf('2019-01-02'), dateOf('2019-02-28'))]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('holds what the last signal before each decision names, and trades each change once', async () => {
  const world = await liveWorld({ database, now: nyse.openOf(days[0]!) - HOUR })
  const deps = externalDeps(world, data)
  const { deployment, signal } = await deployedSignals(world, deps)
  const { id } = deployment
  const runner = new LiveRunner(deps)
  const decide = async (session: number) => {
    goTo(world, data, nyse.closeOf(days[session]!) - 30 * MINUTE, days[session]!)
    await settle(world, runner, 4)
    return (await deps.database.decisions.latest(id))!
  }
  const ordered = async () => (await world.stage.ordersTaken()).map(({ side, ticker }) => `${side} ${ticker}`).sort()

  // Before the first signal it is in cash, as its list says.
  expect(await decide(0)).toMatchObject({ outcome: 'done', signal: { external: { receivedAt: null, target: null } } })
  expect(await ordered()).toEqual([])

  const at = new Date(nyse.openOf(days[1]!))
  await signal('one', { allocation: 'on' }, at)
  await signal('one', { allocation: 'on' }, at)
  const first = await decide(1)
  expect(first.signal.external).toEqual({
    receivedAt: at.getTime(),
    target: { allocation: 'on' },
    key: 'allocation:on',
  })
  expect(first.reason).toContain('The signal changed to on.')
  expect(await ordered()).toEqual(['buy SPY'])

  // Said again under another id: nothing is traded.
  await signal('two', { allocation: 'on' }, new Date(nyse.openOf(days[2]!)))
  expect(await decide(2)).toMatchObject({ outcome: 'held' })
  // One that comes after the decision counts at the next one.
  const late: SignalTarget = { weights: { TLT: 50 } }
  await signal('three', late, new Date(nyse.closeOf(days[2]!)))
  expect((await deps.database.decisions.latest(id))!.signal.external!.key).toBe('allocation:on')
  const turned = await decide(3)
  expect(turned.signal.external!.target).toEqual(late)
  expect(await ordered()).toEqual(['buy SPY', 'buy TLT', 'sell SPY'])
  expect(decisionToWire(turned)).toMatchObject({
    signal_type: 'Signal: 50% TLT',
    external: { target: '50% TLT', received_at: new Date(nyse.closeOf(days[2]!)).toISOString() },
  })
  await expectSound(world)
  await runner.close()

  // After the session its replay stands beside it.
  goTo(world, data, nyse.closeOf(days[3]!) + MINUTE, days[3]!)
  const evening = externalDeps(world, data)
  await settle(world, new LiveRunner(evening, { daily: endOfDay(evening, engineSignalService(data)) }), 1)
  const replay = (await deps.database.journal.replay(id))!
  expect(replay.error).toBeNull()
  expect(Math.abs(replay.driftPct!)).toBeLessThan(0.1)
  await world.close()
})

it('trades nothing by a signal that the deployed list does not have, or once its strategy is deleted', async () => {
  const world = await liveWorld({ database, now: nyse.openOf(days[0]!) - HOUR })
  const deps = externalDeps(world, data)
  const { deployment, signal, strategyId } = await deployedSignals(world, deps)
  const runner = new LiveRunner(deps)
  await signal('x', { allocation: 'added later' }, new Date(nyse.openOf(days[0]!)))
  goTo(world, data, nyse.closeOf(days[0]!) - 30 * MINUTE, days[0]!)
  await settle(world, runner, 4)
  const problem = async () => (await deps.database.deployments.byId(deployment.id))!.healthProblem?.sentence
  expect(await problem()).toContain('There is no allocation “added later”')
  await database.database.deleteFrom('strategies').where('id', '=', strategyId).execute()
  // The run of the day before was missed meanwhile.
  for (const day of days.slice(1, 3)) {
    goTo(world, data, nyse.closeOf(day) - 30 * MINUTE, day)
    await settle(world, runner, 4)
  }
  expect(await problem()).toContain('The strategy that received its signals was deleted.')
  expect(await world.stage.ordersTaken()).toEqual([])
  await runner.close()
  await world.close()
})
