import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import {
  deploymentOf,
  healthOf,
  INVESTED,
  invested,
  outcomeOf,
  sliceOf,
} from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { controlDeployment } from '../control.ts'
import { removeDeployment } from '../remove.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

describe('an order', () => {
  it('is looked up by the next process when this one heard nothing at all', async () => {
    const deployment = await world.deployed()
    world.toDecision()
    const first = world.runner((step) => {
      if (step === 'order-claimed') world.stage.isAway = true
    })
    await first.tick()
    world.stage.isAway = false
    await first.close()
    await settle(world, world.runner())
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('is not cancelled by the run that decided it, when a crash kept the next run from being written', async () => {
    const deployment = await world.deployed()
    world.stage.holdsFills = true
    world.toDecision()
    const instant = world.clock.now()
    const first = world.runner()
    await first.tick()
    await first.close()
    await world.deps.database.deployments.change(deployment.id, { nextRunAt: instant })
    const next = world.runner()
    await next.tick()
    expect((await world.stage.ordersTaken()).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
    world.stage.holdsFills = false
    world.stage.trade()
    await settle(world, next, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  /** A process died with two orders open, and the next run is due. */
  async function diedBeforeItsFills(): Promise<number> {
    const { id } = await world.deployed()
    world.stage.holdsFills = true
    world.toDecision()
    const first = world.runner()
    await first.tick()
    await first.close()
    world.clock.advance(60_000)
    await world.deps.database.deployments.change(id, { nextRunAt: world.clock.now() })
    return id
  }
  const SKIPPED = 'Orders of the last decision are still open; they are cancelled and this run is skipped.'

  it('that is filled while the next process polls is carried to its end, and the run that is due decides', async () => {
    const id = await diedBeforeItsFills()
    const due = world.clock.now()
    const fills = world.broker.fills.bind(world.broker)
    // After the list of open orders was read, and before the executions are.
    world.broker.fills = (since) => {
      world.stage.trade()
      return fills(since)
    }
    world.stage.holdsFills = false
    await settle(world, world.runner(), 3)
    const told = await activityOf(world, id)
    expect(told).not.toContain(SKIPPED)
    expect(told.join('\n')).toContain('Execution Complete. Buy SPY: filled')
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect((await world.deps.database.decisions.latest(id))?.decidedFor).toEqual(due)
    await expectSound(world)
  })

  it('that is open when the next run is due is cancelled, and that run is skipped', async () => {
    const id = await diedBeforeItsFills()
    await settle(world, world.runner(), 3)
    expect(await activityOf(world, id)).toContain(SKIPPED)
    expect((await world.stage.ordersTaken()).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
    await expectSound(world)
  })
})

it('a decision that is paused between its sales and its purchases is not complete', async () => {
  const { deployment, runner } = await invested(world)
  await runner.close()
  const asset = world.broker.asset.bind(world.broker)
  const pausing = world.runner((step) => {
    if (step !== 'sales-ended') return
    // After the deployment was read as running, and before its purchases are written.
    world.broker.asset = async (ticker) => {
      world.broker.asset = asset
      await controlDeployment(world.deps, world.userId, deployment.id, 'pause')
      return asset(ticker)
    }
  })
  world.signalService.percentages = { GLD: 100 }
  world.toDecision()
  await settle(world, pausing, 4)
  expect(await sliceOf(world, deployment.id)).toEqual(['10000'])
  expect(await outcomeOf(world, deployment.id)).toBe('incomplete')
  expect((await deploymentOf(world, deployment.id)).lastTrade?.isComplete).toBe(false)
  await expectSound(world)
})

it('shares that were sold by hand are given up on the user’s word, and trading goes on', async () => {
  const { deployment, runner } = await invested(world)
  await world.stage.tradeByHand('sell', 'SPY', '10')
  world.signalService.percentages = { GLD: 100 }
  world.toDecision()
  await settle(world, runner, 3)
  expect(await healthOf(world, deployment.id)).toContain('sold outside')
  await acceptBroker(world.deps, world.userId, deployment.id)
  expect(await sliceOf(world, deployment.id)).toEqual(['4000', '44.444444444 TLT', '5 SPY'])
  world.clock.advance(60_000)
  await settle(world, runner, 6)
  expect(await healthOf(world, deployment.id)).toBeNull()
  expect((await sliceOf(world, deployment.id))[1]).toMatch(/GLD$/)
  await expectSound(world)
})

it('a deletion gives everything back once it is stopped [LIVE-172]', async () => {
  const { deployment, runner } = await invested(world)
  await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
  await removeDeployment(world.deps, world.userId, deployment.id)
  const books = await world.deps.database.books.books(world.accountId)
  expect(String(books.get('unallocated')?.positions.get('SPY'))).toBe('15')
  expect(await world.deps.database.deployments.byId(deployment.id)).toBeUndefined()
  await runner.tick()
  await expectSound(world)
})

it('the ledger refuses every change, and entries that do not balance', async () => {
  await world.deployed()
  const { database: connection } = world.database
  await expect(connection.updateTable('ledger_entries').set({ note: 'x' }).execute()).rejects.toThrow('append-only')
  await expect(connection.deleteFrom('ledger_entries').execute()).rejects.toThrow('append-only')
  await expect(sql`TRUNCATE ledger_entries`.execute(connection)).rejects.toThrow('append-only')
  const legs = JSON.stringify([{ party: 'unallocated', asset: 'USD', amount: '1' }])
  const entry = {
    account_id: world.accountId,
    deployment_id: null,
    entry_type: 'EXTERNAL_FLOW',
    key: 'forged',
    recorded_at: new Date(),
    direction: 'in',
    amount: '1',
    legs,
    cash_after: '1',
    equity_after: '1',
    positions_after: '{}',
  }
  await expect(connection.insertInto('ledger_entries').values(entry).execute()).rejects.toThrow('does not balance')
})
