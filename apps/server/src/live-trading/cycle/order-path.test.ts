import { Decimal } from '@tradewright/core/decimal'
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
import type { PlaceFault } from '../../../test-support/live/faulty-broker.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'

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

const decimal = (text: string) => Decimal.parse(text)
const sliceOf = async (id: number) => {
  const { cash, positions } = await world.deps.database.books.slice(world.accountId, id)
  return [
    String(cash.rounded(2)),
    ...[...positions].map(([ticker, quantity]) => `${String(quantity)} ${ticker}`).sort(),
  ]
}
const INVESTED = ['0', '15 SPY', '44.444444444 TLT']
const outcomeOf = async (id: number) => (await world.deps.database.decisions.latest(id))?.outcome
const healthOf = async (id: number) => (await world.deps.database.deployments.byId(id))?.healthProblem
const ordersAtBroker = () => world.broker.inner.orders({ state: 'all' })

/** Deployed and invested by its first decision. */
async function invested() {
  const deployment = await world.deployed()
  const runner = world.runner()
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(deployment.id)).toEqual(INVESTED)
  return { deployment, runner }
}

describe('a decision', () => {
  it('is journaled, sent, filled and booked, and told', async () => {
    const { deployment } = await invested()
    expect(await outcomeOf(deployment.id)).toBe('done')
    expect(await logOf(world, deployment.id)).toMatch(
      /Fetching Market Data[\s\S]*Generating Signal[\s\S]*Executing Trades[\s\S]*Execution Complete/,
    )
    expect(world.mails.map(({ event }) => event)).toEqual(['signals', 'trades'])
    await expectSound(world)
  })

  it('sells first and buys with what that brought', async () => {
    const { deployment, runner } = await invested()
    world.desk.percents = { GLD: 100 }
    world.quotes.set('SPY', decimal('410'))
    world.toDecision()
    await settle(world, runner)
    expect(await sliceOf(deployment.id)).toEqual(['0', '56.232686981 GLD'])
    await expectSound(world)
  })

  it('holds when nothing changed, and says so', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'none' }) })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    world.toDecision()
    await settle(world, runner, 2)
    expect(await outcomeOf(deployment.id)).toBe('held')
    expect(await ordersAtBroker()).toHaveLength(2)
    expect(await activityOf(world, deployment.id)).toContain('Hold: The signal is unchanged and no rebalance is due.')
  })

  it('sends nothing in a dry run, but keeps what it would have', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ dryRun: true }) })
    world.toDecision()
    await settle(world, world.runner(), 2)
    expect(await ordersAtBroker()).toEqual([])
    const decision = await world.deps.database.decisions.latest(deployment.id)
    expect(decision?.outcome).toBe('dry_run')
    expect(decision?.signal.planned.map(({ ticker, notional }) => [ticker, notional])).toEqual([
      ['SPY', '6000'],
      ['TLT', '4000'],
    ])
    expect(await sliceOf(deployment.id)).toEqual(['10000'])
  })

  it('brings a percent of the account to its percent first', async () => {
    const deployment = await world.deployed({
      capitalPolicy: 'percent_of_account',
      capitalPolicyValue: decimal('20'),
    })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    world.quotes.set('SPY', decimal('800'))
    world.toDecision()
    await settle(world, runner, 4)
    const entries = await world.deps.database.books.page(deployment.id, 1, 50, {
      types: ['REBALANCE'],
      search: undefined,
    })
    // 12,000 of SPY doubled: the account is worth 112,000 and a fifth of it 22,400, but only its own cash can leave.
    expect(entries.total).toBe(0)
    world.quotes.set('SPY', decimal('200'))
    world.toDecision()
    await settle(world, runner, 4)
    const { net } = (await world.deps.database.deployments.byId(deployment.id))!.totals
    expect(net.isBelow(decimal('20000'))).toBe(false)
    await expectSound(world)
  })
})

describe('an order whose answer went wrong', () => {
  it.each<PlaceFault>(['answer-lost', 'not-arrived', 'error-500', 'limited-429', 'reset'])(
    'is neither doubled nor lost: %s',
    async (fault) => {
      const deployment = await world.deployed()
      world.broker.placeFaults.push(fault)
      world.toDecision()
      await settle(world, world.runner())
      expect(await sliceOf(deployment.id)).toEqual(INVESTED)
      expect(await ordersAtBroker()).toHaveLength(2)
      expect(await outcomeOf(deployment.id)).toBe('done')
      expect(await logOf(world, deployment.id)).toMatch(/the answer to the order|fate of the order/)
      await expectSound(world)
    },
  )

  it('is looked up by the next process when this one heard nothing at all', async () => {
    const deployment = await world.deployed()
    world.toDecision()
    const first = world.runner((step) => {
      if (step === 'order-claimed') world.broker.isAway = true
    })
    await first.tick()
    world.broker.isAway = false
    await first.close()
    await settle(world, world.runner())
    expect(await sliceOf(deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('is not sent again while broker and books disagree', async () => {
    const { deployment, runner } = await invested()
    world.desk.percents = { GLD: 100 }
    world.broker.placeFaults.push('not-arrived', 'not-arrived')
    world.toDecision()
    await runner.tick()
    const before = (await ordersAtBroker()).length
    await world.broker.inner.place({
      clientOrderId: 'by-hand-3',
      ticker: 'SPY',
      side: 'sell',
      size: { quantity: decimal('10') },
      execution: { type: 'market' },
      timeInForce: 'day',
    })
    world.broker.trade()
    await settle(world, runner, 3)
    expect(await ordersAtBroker()).toHaveLength(before + 1)
    expect(await healthOf(deployment.id)).toContain('sold outside')
  })

  it('is not cancelled by the run that decided it, when a crash kept the next run from being written', async () => {
    const deployment = await world.deployed()
    world.broker.holdsFills = true
    world.toDecision()
    const instant = world.clock.now()
    const first = world.runner()
    await first.tick()
    await first.close()
    await world.deps.database.deployments.change(deployment.id, { nextRunAt: instant })
    const next = world.runner()
    await next.tick()
    expect((await ordersAtBroker()).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
    world.broker.holdsFills = false
    world.broker.trade()
    await settle(world, next, 4)
    expect(await sliceOf(deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('that the broker refuses is an end with its reason', async () => {
    const deployment = await world.deployed()
    world.broker.placeFaults.push('refused')
    world.toDecision()
    await settle(world, world.runner(), 4)
    expect(await sliceOf(deployment.id)).toEqual(['6000', '44.444444444 TLT'])
    expect(await outcomeOf(deployment.id)).toBe('incomplete')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('insufficient buying power')
    expect(world.mails.map(({ event }) => event)).toContain('errors')
    await expectSound(world)
  })

  it('that was refused is tried again by the next decision', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'none' }) })
    const runner = world.runner()
    world.broker.placeFaults.push('refused')
    world.toDecision()
    await settle(world, runner, 4)
    world.toDecision()
    await settle(world, runner, 6)
    expect(await sliceOf(deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('may spend the account’s last cent', async () => {
    const deployment = await world.deployed({ capitalPolicyValue: decimal('100000') })
    world.toDecision()
    await settle(world, world.runner(), 4)
    expect(await sliceOf(deployment.id)).toEqual(['0', '150 SPY', '444.444444444 TLT'])
    await expectSound(world)
  })
})

describe('executions', () => {
  it('told three times are booked once', async () => {
    world.broker.tellsFillsTimes = 3
    await invested()
    await expectSound(world)
  })

  it('that are listed late make it wait, not guess', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.broker.hidesFills = true
    world.toDecision()
    await settle(world, runner, 4)
    expect(await outcomeOf(deployment.id)).toBe('buying')
    expect((await world.deps.database.books.state(world.accountId))?.disagreement).toBeNull()
    world.broker.hidesFills = false
    await settle(world, runner, 4)
    expect(await sliceOf(deployment.id)).toEqual(INVESTED)
    expect(await outcomeOf(deployment.id)).toBe('done')
    await expectSound(world)
  })

  it('in part, then cancelled, leave a decision incomplete and the books right', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.broker.holdsFills = true
    world.toDecision()
    await runner.tick()
    const [tlt, spy] = await ordersAtBroker()
    world.quotes.delete('TLT')
    world.broker.trade()
    world.quotes.set('TLT', decimal('90'))
    expect((await world.broker.inner.orderByClientId(spy!.clientOrderId))?.state).toBe('filled')
    await world.broker.inner.cancel(tlt!.id)
    await settle(world, runner, 4)
    expect(await outcomeOf(deployment.id)).toBe('incomplete')
    expect(await sliceOf(deployment.id)).toEqual(['4000', '15 SPY'])
    await expectSound(world)
  })
})

describe('what happens outside', () => {
  it('an order by hand is the account’s own and stops nobody', async () => {
    const { deployment, runner } = await invested()
    await world.broker.inner.place({
      clientOrderId: 'by-hand-1',
      ticker: 'SPY',
      side: 'buy',
      size: { quantity: decimal('3') },
      execution: { type: 'market' },
      timeInForce: 'day',
    })
    world.broker.trade()
    world.toDecision()
    await settle(world, runner, 4)
    expect(await healthOf(deployment.id)).toBeNull()
    expect(await sliceOf(deployment.id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('a sale by hand of what a deployment owns stops trading until it is resolved', async () => {
    const { deployment, runner } = await invested()
    await world.broker.inner.place({
      clientOrderId: 'by-hand-2',
      ticker: 'SPY',
      side: 'sell',
      size: { quantity: decimal('10') },
      execution: { type: 'market' },
      timeInForce: 'day',
    })
    world.broker.trade()
    world.desk.percents = { GLD: 100 }
    world.toDecision()
    await settle(world, runner, 3)
    expect(await healthOf(deployment.id)).toContain('SPY that deployments own was sold outside of them.')
    expect(await ordersAtBroker()).toHaveLength(3)
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('Broker and books disagree')
    expect(await logOf(world, deployment.id)).toContain('Broker and books disagree')
    await acceptBroker(world.deps, world.userId, deployment.id)
    expect(await sliceOf(deployment.id)).toEqual(['4000', '44.444444444 TLT', '5 SPY'])
    world.clock.advance(60_000)
    await settle(world, runner, 6)
    expect(await healthOf(deployment.id)).toBeNull()
    expect((await sliceOf(deployment.id))[1]).toMatch(/GLD$/)
    await expectSound(world)
  })

  it('a split overnight is booked for everybody who holds the shares', async () => {
    const { deployment, runner } = await invested()
    world.desk.splitsOf = { SPY: ['4'] }
    world.broker.corrections.set('SPY', decimal('4'))
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await sliceOf(deployment.id)).toEqual(['0', '44.444444444 TLT', '60 SPY'])
    expect(await healthOf(deployment.id)).toBeNull()
    const { entries } = await world.deps.database.books.page(deployment.id, 1, 10, {
      types: ['SPLIT'],
      search: undefined,
    })
    expect(entries.map(({ note }) => note)).toEqual(['Split of SPY, 4 for 1'])
  })

  it('shares that change without a reason stop trading', async () => {
    const { deployment, runner } = await invested()
    world.broker.corrections.set('SPY', decimal('0.5'))
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await healthOf(deployment.id)).toContain('The broker holds 7.5 SPY, but the books say 15.')
  })

  it('a halted asset is left alone and told', async () => {
    const deployment = await world.deployed()
    world.broker.halted.add('SPY')
    world.toDecision()
    await settle(world, world.runner(), 4)
    expect(await sliceOf(deployment.id)).toEqual(['6000', '44.444444444 TLT'])
    expect((await activityOf(world, deployment.id)).join('\n')).toContain('SPY cannot be traded now')
    await expectSound(world)
  })

  it('a blocked account is told in the broker’s words', async () => {
    const deployment = await world.deployed()
    world.broker.blockedBecause = 'trading_blocked'
    world.toDecision()
    await settle(world, world.runner(), 2)
    expect(await healthOf(deployment.id)).toContain('trading_blocked')
    expect(await ordersAtBroker()).toEqual([])
  })
})

describe('a deployment that was stopped in the middle', () => {
  it('cancels what is open, sends nothing more, and books what was filled', async () => {
    const deployment = await world.deployed()
    const runner = world.runner()
    world.broker.holdsFills = true
    world.toDecision()
    await runner.tick()
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
    await settle(world, runner, 4)
    expect((await ordersAtBroker()).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
    expect(await sliceOf(deployment.id)).toEqual(['10000'])
    expect((await world.deps.database.deployments.byId(deployment.id))?.status).toBe('stopped')
    await expectSound(world)
  })
})
