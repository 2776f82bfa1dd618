import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { healthOf, INVESTED, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'

let database: TestDatabase
let world: LiveWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const decimal = (text: string) => Decimal.parse(text)
const ordersOf = async (id: number) =>
  (await world.deps.database.orders.newest(id, 20))
    .map(({ side, ticker, filledQuantity, brokerOrderId }) => {
      const how = brokerOrderId === null ? 'inside the account' : 'at the broker'
      return `${side} ${String(filledQuantity.rounded(3))} ${ticker} ${how}`
    })
    .sort()
const entriesOf = async (id: number) => {
  const page = await world.deps.database.books.page(id, 1, 50, {
    types: ['TRADE_BUY', 'TRADE_SELL'],
    search: undefined,
  })
  return page.entries.map(({ note }) => note ?? '')
}

/**
 * The first holds 15 SPY and 44.44 TLT; SPY has risen to 440, so it sells 0.545 SPY and buys TLT. The second has only
 * cash and buys both at the same instant.
 */
async function opposite() {
  const { deployment: first, runner } = await invested(world)
  const second = await world.deployed({ name: 'Newcomer', capitalPolicyValue: decimal('5000') })
  world.quotes.set('SPY', decimal('440'))
  world.toDecision()
  return { first: first.id, second: second.id, runner }
}

describe.each([
  { stage: undefined, played: 'a broker behind the port' },
  { stage: alpacaStage, played: 'Alpaca’s HTTP' },
])('opposite orders of two deployments of one account, with $played', ({ stage }) => {
  beforeEach(async () => {
    world = await liveWorld({ database, ...(stage && { stage }) })
  })
  afterEach(async () => {
    expect(world.stage.violations).toEqual([])
    await world.close()
  })

  it('are netted in the ledger at the broker’s price, and shown by both', async () => {
    const { first, second, runner } = await opposite()
    await settle(world, runner, 6)
    expect(await ordersOf(first)).toEqual([
      'buy 15 SPY at the broker',
      'buy 2.667 TLT at the broker',
      'buy 44.444 TLT at the broker',
      'sell 0.545 SPY inside the account',
    ])
    expect(await ordersOf(second)).toEqual([
      'buy 0.545 SPY inside the account',
      'buy 22.222 TLT at the broker',
      'buy 6.273 SPY at the broker',
    ])
    expect(await entriesOf(first)).toContain('Sold 0.545454545 SPY at $440.00 to another deployment of the account')
    expect(await entriesOf(second)).toContain(
      'Bought 0.545454545 SPY at $440.00 from another deployment of the account',
    )
    for (const id of [first, second]) {
      expect(await outcomeOf(world, id)).toBe('done')
      expect(await healthOf(world, id)).toBeNull()
      const [cash] = await sliceOf(world, id)
      expect(Math.abs(Number(cash))).toBeLessThan(0.02)
    }
    expect((await activityOf(world, first)).join('\n')).toContain(
      '0.545454545 SPY sold to "Newcomer" inside the account at $440.00, without an order and without costs.',
    )
    expect((await activityOf(world, second)).join('\n')).toContain(
      'SPY bought from "Sixty forty live" inside the account',
    )
    await expectSound(world)
  })

  it('are netted when another process polls first', async () => {
    const { first, second, runner } = await opposite()
    await settle(world, [world.process().runner, runner], 6)
    expect(await ordersOf(first)).toContain('sell 0.545 SPY inside the account')
    expect(await ordersOf(second)).toContain('buy 0.545 SPY inside the account')
    await expectSound(world)
  })

  it('that cannot be netted are sent one after the other has ended', async () => {
    const { deployment: first, runner } = await invested(world)
    const settings = settingsOf({ minutesBeforeClose: 29 })
    const second = await world.deployed({ name: 'Newcomer', capitalPolicyValue: decimal('5000'), settings })
    world.quotes.set('SPY', decimal('440'))
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    world.clock.advance(MINUTE)
    await settle(world, runner, 3)
    const taken = async () =>
      (await world.stage.ordersTaken()).slice(0, -2).map(({ side, ticker, state }) => `${side} ${ticker} ${state}`)
    expect(await taken()).toEqual(['buy TLT accepted', 'sell SPY accepted'])
    const waiting = 'The order to buy SPY waits: another order of the account to sell it is open.'
    expect((await activityOf(world, second.id)).filter((one) => one === waiting)).toHaveLength(1)
    world.stage.holdsFills = false
    world.stage.trade()
    await settle(world, runner, 6)
    expect((await taken()).sort()).toEqual(['buy SPY filled', 'buy TLT filled', 'buy TLT filled', 'sell SPY filled'])
    for (const { id } of [first, second]) expect(await outcomeOf(world, id)).toBe('done')
    await expectSound(world)
  })
})

describe('an order that the broker refuses as a wash trade', () => {
  let stage: AlpacaStage
  beforeEach(async () => {
    world = await liveWorld({ database, stage: alpacaStage })
    stage = world.stage as AlpacaStage
  })
  afterEach(() => world.close())

  /** An order by hand to sell SPY, of which the journal knows nothing. */
  async function refused() {
    await stage.tradeByHand('buy', 'SPY', '5')
    const deployment = await world.deployed()
    const runner = world.runner()
    stage.standIn.account.fillsAtOnce = false
    stage.standIn.account.add({
      clientOrderId: 'by-hand',
      symbol: 'SPY',
      side: 'sell',
      qty: decimal('5'),
      notional: undefined,
      type: 'limit',
      timeInForce: 'day',
      limitPrice: decimal('500'),
    })
    world.toDecision()
    await settle(world, runner, 4)
    return { id: deployment.id, runner }
  }
  const waits = 'The order to buy SPY waits: another order of the account to sell it is open at the broker.'

  it('is sent again within the time of its decision, under the same id', async () => {
    const { id, runner } = await refused()
    expect(await activityOf(world, id)).toContain(waits)
    expect(await outcomeOf(world, id)).toBe('buying')
    await stage.cancelByHand('SPY')
    world.clock.advance(MINUTE)
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect(await outcomeOf(world, id)).toBe('done')
    expect((await activityOf(world, id)).join('\n')).not.toContain('refused')
    await expectSound(world)
  })

  it('is given up when that time is over, with its reason', async () => {
    const { id, runner } = await refused()
    for (let minute = 0; minute < 16; minute++) {
      world.clock.advance(MINUTE)
      await settle(world, runner, 1)
    }
    await settle(world, runner, 2)
    expect((await activityOf(world, id)).join('\n')).toContain(`Buy SPY: abandoned (${waits} Its time has passed.)`)
    expect((await activityOf(world, id)).join('\n')).toContain('The order to buy SPY could not be sent in time')
    const sent = stage.standIn.requests.filter(({ method, body }) => method === 'POST' && body.includes('SPY'))
    expect(sent.length).toBeLessThan(20)
    await expectSound(world)
  })
})
