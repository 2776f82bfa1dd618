import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  logOf,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import { emergencyStop } from '../emergency-stop.ts'
import { removeDeployment } from '../remove.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  world = await liveWorld({ database })
})
afterEach(() => world.close())
afterAll(() => database.close())

const ordersAtBroker = () => world.broker.inner.orders({ state: 'all' })
const deploymentOf = async (id: number) => (await world.deps.database.deployments.byId(id))!

describe('two processes', () => {
  it('decide once, whoever is first', async () => {
    const deployment = await world.deployed()
    const [first, second] = [world.runner(), world.runner()]
    world.toDecision()
    for (let beat = 0; beat < 5; beat++) {
      await Promise.all([first.tick(), second.tick()])
      world.clock.advance(1_000)
    }
    expect(await ordersAtBroker()).toHaveLength(2)
    const decisions = await database.database
      .selectFrom('deployment_decisions')
      .selectAll()
      .where('deployment_id', '=', deployment.id)
      .execute()
    expect(decisions).toHaveLength(1)
    expect((await deploymentOf(deployment.id)).healthProblem).toBeNull()
    await expectSound(world)
  })

  it('hand over when one dies: its lease runs out and its orders are found', async () => {
    await world.deployed()
    world.toDecision()
    world.broker.holdsFills = true
    await world.runner().tick()
    await world.database.database
      .updateTable('deployment_leases')
      .set({ expires_at: sql<Date>`clock_timestamp() - interval '1 second'` })
      .execute()
    world.broker.trade()
    await settle(world, world.runner(), 4)
    expect(await ordersAtBroker()).toHaveLength(2)
    await expectSound(world)
  })

  it('send nothing for a lease that was lost on the way', async () => {
    await world.deployed()
    world.toDecision()
    const slow = world.runner((step) => {
      if (step !== 'signal-known') return
      void world.database.database
        .updateTable('deployment_leases')
        .set({ holder: '00000000-0000-4000-8000-000000000000' })
        .execute()
    })
    await slow.tick()
    const intents = await world.database.database.selectFrom('order_intents').selectAll().execute()
    for (const order of await ordersAtBroker()) {
      expect(intents.map(({ client_order_id: id }) => id)).toContain(order.clientOrderId)
    }
  })
})

describe('data that is not good enough', () => {
  it('stops the decision until it is, and tells why', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.desk.failure = new Problem(
      'conflict',
      'deployment.stale-data',
      'The newest data of SPY is of 2026-02-27, 1 session behind.',
    )
    world.toDecision()
    await settle(world, runner, 2)
    expect(await ordersAtBroker()).toEqual([])
    expect((await deploymentOf(deployment.id)).healthProblem).toContain('1 session behind')
    expect(await logOf(world, deployment.id)).toMatch(/\[ERROR\] - live_trading - \w+:\d+ - Status: .*1 session behind/)
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('1 session behind')
    world.desk.failure = undefined
    world.clock.advance(MINUTE)
    await settle(world, runner, 4)
    expect((await deploymentOf(deployment.id)).healthProblem).toBeNull()
    expect(await ordersAtBroker()).toHaveLength(2)
    await expectSound(world)
  })

  it('for too long makes the run a missed one', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.desk.failure = new Problem('conflict', 'deployment.stale-data', 'Nothing new.')
    world.toDecision()
    await runner.tick()
    world.clock.advance(31 * MINUTE)
    await runner.tick()
    expect((await activityOf(world, deployment.id)).join('\n')).toMatch(/The run of .* was missed. Nothing new./)
    expect((await deploymentOf(deployment.id)).nextRunAt!.getTime()).toBeGreaterThan(world.clock.now().getTime())
    expect(await ordersAtBroker()).toEqual([])
  })
})

describe('a broker that cannot be reached', () => {
  it('is told, and work goes on when it answers again', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.broker.isAway = true
    world.toDecision()
    await settle(world, runner, 2)
    expect((await deploymentOf(deployment.id)).healthProblem).toContain('The broker cannot be reached.')
    world.broker.isAway = false
    world.clock.advance(MINUTE)
    await settle(world, runner, 4)
    expect(await ordersAtBroker()).toHaveLength(2)
    await expectSound(world)
  })

  it('whose clock is ahead of ours is believed: it is decided when it is time there', async () => {
    world.toDecision()
    const due = world.clock.now().getTime()
    const early = await liveWorld({ database, now: due - 10 * MINUTE + 2_000 })
    early.broker.clockSkew = 10 * MINUTE
    const deployment = await early.deployed()
    expect(deployment.nextRunAt?.getTime()).toBe(due)
    await settle(early, early.runner(), 4)
    expect(early.clock.now().getTime()).toBeLessThan(due)
    expect(await early.broker.inner.orders({ state: 'all' })).toHaveLength(2)
    await expectSound(early)
  })
})

describe('a database that goes away', () => {
  it('for a minute stops everything, and nothing is lost or doubled', async () => {
    const deployment = await world.deployed()
    const runner = world.runner((step) => {
      // Sent, and then the database is gone before the answer can be written down.
      if (step === 'order-placed') throw new Error('Connection terminated unexpectedly')
    })
    world.toDecision()
    await runner.tick()
    await runner.close()
    expect((await ordersAtBroker()).length).toBeGreaterThan(0)
    world.clock.advance(MINUTE)
    await settle(world, world.runner(), 6)
    expect(await ordersAtBroker()).toHaveLength(2)
    expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
    await expectSound(world)
  })

  it('keeps the lines of the log until it is back', async () => {
    const deployment = await world.deployed()
    const { journal } = world.deps.database
    const { createDeploymentLog } = await import('../deployment-log.ts')
    let isAway = true
    const log = createDeploymentLog(
      { appendLog: (lines) => (isAway ? Promise.reject(new Error('away')) : journal.appendLog(lines)) },
      world.clock,
      world.deps.log,
    )
    log.write(deployment.id, 'WARNING', 'Status: written while the database was away')
    await log.flush()
    isAway = false
    await log.flush()
    expect((await journal.logTail(deployment.id, 5)).join('\n')).toContain('written while the database was away')
  })
})

describe('the emergency stop', () => {
  const known = () => ({ ...world.deps, knownBroker: () => world.broker, knownDeployments: () => [] })

  it('cancels what is open and lets nothing out any more', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.broker.holdsFills = true
    world.toDecision()
    await runner.tick()
    const report = await emergencyStop(known(), world.userId, deployment.id)
    expect(report).toEqual({ stopped: 1, cancelledOrders: 2, problems: [] })
    await settle(world, runner, 3)
    expect((await deploymentOf(deployment.id)).status).toBe('stopped')
    expect((await ordersAtBroker()).every(({ state }) => state === 'canceled')).toBe(true)
    world.toDecision()
    await settle(world, runner, 2)
    expect(await ordersAtBroker()).toHaveLength(2)
    await expectSound(world)
  })

  it('works while the database is away, and is recorded when it is back', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    await runner.tick()
    const away = () => Promise.reject(new Error('Connection terminated unexpectedly'))
    const ill = {
      ...world.deps,
      database: {
        ...world.deps.database,
        deployments: { ...world.deps.database.deployments, list: away, change: away },
      },
      knownBroker: () => runner.knownBroker(world.accountId),
      knownDeployments: () => runner.knownDeployments(world.userId),
    }
    const report = await emergencyStop(ill, world.userId, undefined)
    expect(report.problems.join(' ')).toContain('The database cannot be reached')
    world.toDecision()
    await settle(world, runner, 2)
    expect(await ordersAtBroker()).toEqual([])
    expect((await deploymentOf(deployment.id)).status).toBe('stopped')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('Stopped by the emergency stop.')
    await controlDeployment(world.deps, world.userId, deployment.id, 'start')
    world.toDecision()
    await settle(world, runner, 4)
    expect(await ordersAtBroker()).toHaveLength(2)
  })
})

describe('limits', () => {
  it('pause a deployment that lost too much in a day', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDailyLossPct: 5 }) })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    world.quotes.set('SPY', Decimal.parse('350'))
    world.toDecision()
    await settle(world, runner, 2)
    expect((await deploymentOf(deployment.id)).status).toBe('paused')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'Paused by its loss limit. The loss of the day is 7.50 %',
    )
    expect(await ordersAtBroker()).toHaveLength(2)
  })
})

describe('a deletion', () => {
  it('is refused while it runs, and gives everything back after that [LIVE-172]', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const remove = () => removeDeployment(world.deps, world.userId, deployment.id)
    await expect(remove()).rejects.toMatchObject({ kind: 'conflict' })
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
    await remove()
    const books = await world.deps.database.books.books(world.accountId)
    expect(String(books.get('unallocated')?.positions.get('SPY'))).toBe('15')
    expect(await world.deps.database.deployments.byId(deployment.id)).toBeUndefined()
    await runner.tick()
    await expectSound(world)
  })
})

describe('the ledger in the database', () => {
  it('refuses every change, and entries that do not balance', async () => {
    await world.deployed()
    const { database: connection } = database
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
})
