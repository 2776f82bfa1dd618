import { Decimal } from '@tradewright/core/decimal'
import { MARKET_EXECUTION, type OrderExecution } from '@tradewright/core/order-types'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { INVESTED, ONLY_CASH, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const decimal = (text: string) => Decimal.parse(text)

async function deployedWith(execution: Partial<OrderExecution>): Promise<{ id: number; runner: LiveRunner }> {
  const settings = settingsOf({ execution: { ...MARKET_EXECUTION, ...execution } })
  const { id } = await world.deployed({ settings })
  world.toDecision()
  return { id, runner: world.runner() }
}

const sent = async () =>
  (await world.stage.ordersTaken())
    .toReversed()
    .map(({ side, ticker, timeInForce, execution, size, state }) =>
      [
        side,
        'quantity' in size ? String(size.quantity) : `$${String(size.notional)}`,
        ticker,
        execution.type === 'limit' ? `limit ${String(execution.limitPrice)}` : 'market',
        timeInForce,
        state,
      ].join(' '),
    )

const told = async (id: number) => (await activityOf(world, id)).join('\n')

it('a marketable limit is the offer and the collar, for as many shares as the dollars buy there', async () => {
  const { id, runner } = await deployedWith({ type: 'collar', collarPct: 1 })
  await settle(world, runner, 4)
  expect(await sent()).toEqual([
    'buy 14.851485149 SPY limit 404 day filled',
    'buy 44.00440044 TLT limit 90.9 day filled',
  ])
  expect(await outcomeOf(world, id)).toBe('done')
  await expectSound(world)
})

it('a marketable limit waits for a fresh quote, and says so', async () => {
  world.broker.quoteAge = 10 * MINUTE
  const { id, runner } = await deployedWith({ type: 'collar' })
  await settle(world, runner, 4)
  expect(await sent()).toEqual([])
  expect(await told(id)).toMatch(
    /The order to buy SPY waits: the newest quote is from .*, and its price needs a fresh quote/,
  )
  world.broker.quoteAge = 0
  await settle(world, runner, 10)
  expect(await sent()).toHaveLength(2)
  expect(await outcomeOf(world, id)).toBe('done')
  await expectSound(world)
})

it('a marketable limit that is not filled within a minute is cancelled, and the next decision tries again', async () => {
  const { id, runner } = await deployedWith({ type: 'collar' })
  world.stage.holdsFills = true
  await settle(world, runner, 3)
  world.clock.advance(MINUTE)
  await settle(world, runner, 4)
  expect((await sent()).map((line) => line.split(' ').at(-1))).toEqual(['canceled', 'canceled'])
  expect(await outcomeOf(world, id)).toBe('incomplete')
  expect(await told(id)).toContain('was not filled in time: it is cancelled, and the rest is given up.')
  expect(await sliceOf(world, id)).toEqual(ONLY_CASH)
  await expectSound(world)
})

it('the rest of a limit order goes to the market when its time is over, where that is wished', async () => {
  const { id, runner } = await deployedWith({ type: 'limit', timeoutMinutes: 5, afterTimeout: 'market' })
  world.stage.holdsFills = true
  await settle(world, runner, 3)
  world.stage.fillPart('SPY', 0.4)
  await settle(world, runner, 2)
  world.clock.advance(5 * MINUTE)
  world.stage.holdsFills = false
  await settle(world, runner, 6)
  expect(await sent()).toEqual([
    'buy 15 SPY limit 400 day canceled',
    'buy 44.444444444 TLT limit 90 day canceled',
    'buy 9 SPY market day filled',
    'buy 44.444444444 TLT market day filled',
  ])
  expect(await sliceOf(world, id)).toEqual(INVESTED)
  expect(await outcomeOf(world, id)).toBe('done')
  await expectSound(world)
})

it('slices are sent one after another, and add up to the order', async () => {
  const { id, runner } = await deployedWith({ type: 'slices', slices: 3, sliceMinutes: 9 })
  await settle(world, runner, 3)
  expect(await sent()).toHaveLength(2)
  world.clock.advance(3 * MINUTE)
  await settle(world, runner, 3)
  expect(await sent()).toHaveLength(4)
  world.clock.advance(3 * MINUTE)
  await settle(world, runner, 4)
  expect((await sent()).filter((line) => line.includes('SPY'))).toEqual([
    'buy $2000 SPY market day filled',
    'buy $2000 SPY market day filled',
    'buy $2000 SPY market day filled',
  ])
  expect(await outcomeOf(world, id)).toBe('done')
  expect((await sliceOf(world, id))[1]).toBe('15 SPY')
  await expectSound(world)
})

it('slices that are not sent yet are given up when the account has lost too much', async () => {
  Object.assign(world.deps, { limits: { maxDailyLossPct: 5 } })
  const account = world.broker.account.bind(world.broker)
  const fallen = { lastEquity: undefined as Decimal | undefined }
  world.broker.account = async () => ({ ...(await account()), ...fallen })
  const { id, runner } = await deployedWith({ type: 'slices', slices: 2, sliceMinutes: 4 })
  await settle(world, runner, 3)
  fallen.lastEquity = decimal('110000')
  world.clock.advance(2 * MINUTE)
  await settle(world, runner, 3)
  expect(await sent()).toHaveLength(2)
  expect(await told(id)).toContain('Limit reached. The order to buy SPY is not sent: The account has lost 9.09% today')
  expect(await outcomeOf(world, id)).toBe('incomplete')
  await expectSound(world)
})

it('orders on close are whole shares for the closing auction, sales and purchases together', async () => {
  const account = world.broker.account.bind(world.broker)
  world.broker.account = async () => ({ ...(await account()), spendsOpenSales: true })
  const { id, runner } = await deployedWith({ type: 'on_close' })
  await settle(world, runner, 3)
  expect(await sent()).toEqual(['buy 14 SPY market cls accepted', 'buy 44 TLT market cls accepted'])
  world.clock.advance(30 * MINUTE)
  world.broker.inner.auction('cls')
  await settle(world, runner, 4)
  expect(await sliceOf(world, id)).toEqual(['440', '14 SPY', '44 TLT'])
  expect(await outcomeOf(world, id)).toBe('done')
  world.signalService.percentages = { GLD: 100 }
  world.toDecision()
  await settle(world, runner, 3)
  expect((await sent()).slice(2)).toEqual([
    'sell 14 SPY market cls accepted',
    'sell 44 TLT market cls accepted',
    'buy 54 GLD market cls accepted',
  ])
  world.clock.advance(30 * MINUTE)
  world.broker.inner.auction('cls')
  await settle(world, runner, 4)
  expect((await sliceOf(world, id)).slice(1)).toEqual(['54 GLD'])
  await expectSound(world)
})

it('orders on open wait in the journal until the evening, when a broker takes them', async () => {
  const { id, runner } = await deployedWith({ type: 'on_open' })
  await settle(world, runner, 3)
  expect(await sent()).toEqual([])
  const calls = world.broker.calls
  world.clock.advance(30 * SECOND)
  await settle(world, runner, 3)
  expect(world.broker.calls - calls, 'nothing is asked of the broker meanwhile').toBeLessThan(20)
  // 19:05 in New York: three hours and a half after the decision.
  world.clock.advance(3 * 60 * MINUTE + 35 * MINUTE)
  await settle(world, runner, 3)
  expect(await sent()).toEqual(['buy 14 SPY market opg accepted', 'buy 44 TLT market opg accepted'])
  world.clock.advance(15 * 60 * MINUTE)
  world.broker.inner.auction('opg')
  await settle(world, runner, 4)
  expect(await sliceOf(world, id)).toEqual(['440', '14 SPY', '44 TLT'])
  expect(await outcomeOf(world, id)).toBe('done')
  await expectSound(world)
})

it('a market order has the quote of its sending in the journal, and goes without one', async () => {
  const { id, runner } = await deployedWith({ type: 'market' })
  const quote = world.broker.quote.bind(world.broker)
  world.broker.quote = async (ticker) => (ticker === 'SPY' ? quote(ticker) : undefined)
  await settle(world, runner, 4)
  const orders = await world.deps.database.orders.newest(id, 9)
  const quoteOf = (ticker: string) => orders.find((one) => one.ticker === ticker)!.quote
  expect(String(quoteOf('SPY')?.ask)).toBe('400')
  expect(quoteOf('TLT')).toBeUndefined()
  expect(await sliceOf(world, id)).toEqual(INVESTED)
})
