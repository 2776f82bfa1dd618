import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { deploymentOf, INVESTED, ONLY_CASH, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveProcess,
  type LiveWorld,
  logOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { Problem } from '@tradewright/core/problem'
import type { Broker } from '@tradewright/engine/trading/broker'
import { emergencyFiles } from '../../stores/live-trading/emergency-files.ts'
import { holdOrders } from '../../stores/live-trading/held-orders.ts'
import { controlDeployment } from '../control.ts'
import { LiveRunner } from '../cycle/runner.ts'
import type { EmergencyDeps } from './cancel-at-broker.ts'
import { emergencyStop } from './emergency-stop.ts'
import type { LiveDatabase } from '../ports/database.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { stage: alpacaStage },
)

/** The request arrives at a process that may run nothing itself. */
const at = ({ deps, runner }: LiveProcess, more: Partial<EmergencyDeps> = {}): EmergencyDeps => ({
  ...deps,
  knownBroker: (accountId) => runner.knownBroker(accountId),
  knownDeployments: (userId) => runner.knownDeployments(userId),
  ...more,
})

const away = () => Promise.reject(new Error('Connection terminated unexpectedly'))

/** A database that answers one process no more. */
const withoutDatabase = (known: LiveDatabase): LiveDatabase => ({
  ...known,
  deployments: { ...known.deployments, list: away, lock: away, change: away },
  transaction: away,
})

const statesTaken = async () => (await world.stage.ordersTaken()).map(({ state }) => state)

describe('the emergency stop', () => {
  it('cancels what is open and sends nothing until it is started again', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    const report = await emergencyStop(at(one), world.userId, deployment.id)
    expect(report).toEqual({ stopped: 1, cancelledOrders: 2, problems: [] })
    await settle(world, one.runner, 3)
    const stopped = await deploymentOf(world, deployment.id)
    expect(stopped).toMatchObject({ status: 'stopped', emergencyStoppedAt: expect.any(Date) })
    expect(await statesTaken()).toEqual(['canceled', 'canceled'])
    world.toDecision()
    await settle(world, one.runner, 2)
    expect(await statesTaken()).toHaveLength(2)
    world.stage.holdsFills = false
    await controlDeployment(world.deps, world.userId, deployment.id, 'start')
    expect((await deploymentOf(world, deployment.id)).emergencyStoppedAt).toBeNull()
    world.toDecision()
    await settle(world, one.runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it.each(['emergency stop of one', 'emergency stop of all', 'stop'])(
    'cancels nothing in an instance that was restored from a backup, and says so (%s)',
    async (way) => {
      const deployment = await world.deployed()
      const one = world.process()
      world.stage.holdsFills = true
      world.toDecision()
      await one.runner.tick()
      const client = await world.database.pool.connect()
      await holdOrders(client).finally(() => client.release())
      const why = 'nothing is sent until its operator allows it to trade'
      if (way === 'stop') {
        await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
        expect((await activityOf(world, deployment.id)).join('\n')).toContain(why)
      } else {
        const id = way === 'emergency stop of one' ? deployment.id : undefined
        const report = await emergencyStop(at(one), world.userId, id)
        expect(report).toEqual({ stopped: 1, cancelledOrders: 0, problems: [expect.stringContaining(why)] })
      }
      expect((await deploymentOf(world, deployment.id)).status).toBe('stopped')
      const told = (await activityOf(world, deployment.id)).join('\n')
      expect([told.includes('open orders are not cancelled'), told.includes('orders are cancelled')]).toEqual([
        true,
        false,
      ])
      expect(await statesTaken()).not.toContain('canceled')
    },
  )

  it.each([true, false])(
    'asked at one process holds back the second order of another one (one of them: %s)',
    async (isOne) => {
      const deployment = await world.deployed()
      const [asked, trading] = [world.process(), world.process()]
      world.toDecision()
      // The first order is at the broker, the second is journaled: here the user presses the button elsewhere.
      world.stage.holdsFills = true
      const { orders } = world.deps.database
      const claim = orders.claim.bind(orders)
      let claims = 0
      orders.claim = async (...claimed) => {
        if (++claims === 2) await emergencyStop(at(asked), world.userId, isOne ? deployment.id : undefined)
        return claim(...claimed)
      }
      await trading.runner.tick()
      orders.claim = claim
      expect(claims).toBe(2)
      expect(await statesTaken()).toEqual(['canceled'])
      await settle(world, [asked.runner, trading.runner], 3)
      expect(await statesTaken()).toEqual(['canceled'])
      expect(await sliceOf(world, deployment.id)).toEqual(ONLY_CASH)
      expect((await deploymentOf(world, deployment.id)).status).toBe('stopped')
      expect((await activityOf(world, deployment.id)).join('\n')).toContain('Stopped by the emergency stop')
      expect(await logOf(world, deployment.id)).toContain('Stopped by the emergency stop')
      await expectSound(world)
    },
  )

  it('takes back an order that is on its way when it comes: its sender cancels it at once', async () => {
    const deployment = await world.deployed()
    const [asked, trading] = [world.process(), world.process()]
    world.toDecision()
    world.stage.holdsFills = true
    const { broker } = world.stage
    const slow: Broker = {
      ...broker,
      async place(request) {
        const report = await emergencyStop(at(asked), world.userId, deployment.id)
        // It has not arrived yet, so there is nothing to be found.
        expect(report).toEqual({ stopped: 1, cancelledOrders: 0, problems: [] })
        return broker.place(request)
      },
    }
    await new LiveRunner({ ...trading.deps, brokerFor: async () => slow }).tick()
    expect(await statesTaken()).toEqual(['canceled'])
    await settle(world, trading.runner, 3)
    expect(await sliceOf(world, deployment.id)).toEqual(ONLY_CASH)
    await expectSound(world)
  })

  it('that comes while another process claims an order is before or after it, never beside it', async () => {
    const deployment = await world.deployed()
    const trading = world.process()
    world.toDecision()
    world.stage.holdsFills = true
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    // A stop that has changed the deployment, and has not committed yet.
    const stop = world.database.database.transaction().execute(async (transaction) => {
      await held.promise
      await transaction
        .updateTable('deployments')
        .set({ status: 'stopped', emergency_stopped_at: new Date() })
        .where('id', '=', deployment.id)
        .execute()
      locked.resolve()
      // The claim waits for this transaction: nothing is sent before it ends.
      await expect
        .poll(async () => {
          const waiting = await world.database.pool.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%order_intents%'
             AND datname = current_database()`,
          )
          return waiting.rowCount
        })
        .toBe(1)
    })
    const { orders } = world.deps.database
    const claim = orders.claim.bind(orders)
    orders.claim = async (...claimed) => {
      held.resolve()
      await locked.promise
      return claim(...claimed)
    }
    await Promise.all([trading.runner.tick(), stop])
    orders.claim = claim
    expect(await statesTaken()).toEqual([])
  })

  it('asked without a database holds here at once, and everywhere when it is back', async () => {
    const deployment = await world.deployed()
    const [asked, trading] = [world.process(), world.process()]
    // The one that is asked ran it before, so it knows what there is; then the other took over.
    await asked.runner.tick()
    await asked.runner.close()
    const known = asked.runner.knownDeployments(world.userId)
    await trading.runner.tick()
    const ill = at(asked, {
      database: withoutDatabase(asked.deps.database),
      knownBroker: () => world.stage.broker,
      knownDeployments: () => known,
      actor: { kind: 'user', name: 'ann', session: 'Firefox on Linux at 10.0.0.5' },
    })
    const report = await emergencyStop(ill, world.userId, undefined)
    expect(report.problems.join(' ')).toContain('The database cannot be reached')
    expect(asked.deps.gate.isClosed(deployment)).toBe(true)
    expect((await deploymentOf(world, deployment.id)).status).toBe('running')
    // Its database is back: the next poll of the process that was asked records it, although another one trades.
    await asked.runner.tick()
    expect(asked.deps.gate.waiting()).toEqual([])
    world.toDecision()
    await settle(world, trading.runner, 2)
    expect(await statesTaken()).toEqual([])
    expect((await deploymentOf(world, deployment.id)).status).toBe('stopped')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('Stopped by the emergency stop')
    const told = await world.deps.database.journal.activity(deployment.id, 10)
    expect(told.map(({ activity }) => 'actor' in activity && activity.actor?.name)).toContain('ann')
  })

  it('is over when the deployment is started at yet another process', async () => {
    const deployment = await world.deployed()
    const [asked, third] = [world.process(), world.process()]
    await asked.runner.tick()
    await emergencyStop(at(asked), world.userId, undefined)
    await controlDeployment(third.deps, world.userId, deployment.id, 'start')
    world.toDecision()
    await settle(world, asked.runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  })
})

describe('with a spread of options in the account', () => {
  const spread = { id: 'spread', client_order_id: 'by-hand', symbol: '', side: '', type: 'limit', status: 'new' }
  const listSpread = () => (world.stage as AlpacaStage).standIn.quirks.strangeElements.set('/v2/orders', [spread])

  it('deployments trade', async () => {
    const deployment = await world.deployed()
    listSpread()
    world.toDecision()
    await settle(world, world.process().runner, 4)
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  })

  it('the emergency stop cancels', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    listSpread()
    const report = await emergencyStop(at(one), world.userId, deployment.id)
    expect(report).toEqual({ stopped: 1, cancelledOrders: 2, problems: [] })
    expect(await statesTaken()).toEqual(['canceled', 'canceled'])
  })
})

describe('without a list of open orders', () => {
  const noList = (broker: Broker): Broker => ({
    ...broker,
    orders: () => Promise.reject(new Problem('upstream', 'broker.malformed', 'The list is unreadable.')),
  })

  it('the emergency stop cancels by the ids in the journal, also where an answer was lost', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.stage.placeFaults.push('answer-lost')
    world.toDecision()
    await one.runner.tick()
    const asked = at(one, { knownBroker: () => noList(world.stage.broker) })
    const report = await emergencyStop(asked, world.userId, deployment.id)
    expect(report).toMatchObject({ stopped: 1, cancelledOrders: 2 })
    expect(report.problems).toEqual([
      expect.stringMatching(
        /^The broker did not list its open orders; those in the journal of .* are cancelled: The list is unreadable\.$/,
      ),
    ])
    expect(await statesTaken()).toEqual(['canceled', 'canceled'])
  })

  it('and without an answer to a cancellation it says so', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    const away: Broker = {
      ...world.stage.broker,
      cancel: () => Promise.reject(new Problem('unavailable', 'broker.unavailable', 'Alpaca does not answer.')),
    }
    const report = await emergencyStop(at(one, { knownBroker: () => away }), world.userId, deployment.id)
    expect(report.cancelledOrders).toBe(0)
    expect(report.problems.join(' ')).toContain('could not be cancelled: Alpaca does not answer.')
  })
})

describe('where neither the journal nor the list leads to the orders', () => {
  const unreadable = () => Promise.reject(new Problem('upstream', 'broker.malformed', 'The list is unreadable.'))

  it('the emergency stop cancels everything in the account, and says so', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    const { orders, ...others } = one.deps.database
    const database: LiveDatabase = { ...others, orders: { ...orders, unsettled: away } }
    const broker: Broker = { ...world.stage.broker, orders: unreadable }
    const report = await emergencyStop(at(one, { database, knownBroker: () => broker }), world.userId, deployment.id)
    expect(report.problems).toEqual([expect.stringMatching(/so all open orders of the account are cancelled/)])
    expect(await statesTaken()).toEqual(['canceled', 'canceled'])
    expect(world.stage.violations).toEqual([])
  })

  it('also when an order of the journal cannot be cancelled by its id', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    const broker: Broker = { ...world.stage.broker, orders: unreadable, cancel: unreadable }
    const report = await emergencyStop(at(one, { knownBroker: () => broker }), world.userId, deployment.id)
    expect(report.problems.join(' ')).toContain(
      'including those that were not sent by a deployment: The list is unreadable.',
    )
    expect(await statesTaken()).toEqual(['canceled', 'canceled'])
  })

  it('and leaves other orders of the account alone as long as its own can be found', async () => {
    const deployment = await world.deployed()
    const one = world.process()
    world.stage.holdsFills = true
    world.toDecision()
    await one.runner.tick()
    const whole = Promise.withResolvers<void>()
    const broker: Broker = {
      ...world.stage.broker,
      orders: unreadable,
      cancelAll: async () => whole.reject(new Error('everything was cancelled')),
    }
    await emergencyStop(at(one, { knownBroker: () => broker }), world.userId, deployment.id)
    whole.resolve()
    await expect(whole.promise).resolves.toBeUndefined()
  })
})

describe('the stop file on disk', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tradewright-stop-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is shut after a restart, until the stop is recorded', () => {
    emergencyFiles(folder).close({ user: 7 })
    const restarted = emergencyFiles(folder)
    expect(restarted.isClosed({ userId: 7, orderKey: 'a' })).toBe(true)
    expect(restarted.isClosed({ userId: 8, orderKey: 'a' })).toBe(false)
    expect(restarted.waiting()).toEqual([{ user: 7 }])
    restarted.open({ user: 7 })
    expect(readdirSync(join(folder, 'emergency-stop'))).toEqual([])
  })

  it('stops everything on a machine where an operator puts a file named all', async () => {
    const deployment = await world.deployed()
    const machine = world.process()
    const gate = emergencyFiles(folder)
    machine.deps.gate.isClosed = (one) => gate.isClosed(one)
    mkdirSync(join(folder, 'emergency-stop'))
    writeFileSync(join(folder, 'emergency-stop', 'all'), '')
    world.toDecision()
    await settle(world, machine.runner, 2)
    expect(await statesTaken()).toEqual([])
    expect((await deploymentOf(world, deployment.id)).status).toBe('stopped')
    expect(existsSync(join(folder, 'emergency-stop', 'all'))).toBe(true)
  })
})
