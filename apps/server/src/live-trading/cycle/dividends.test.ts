import { Decimal } from '@tradewright/core/decimal'
import { DAY, epochDayOf, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { beforeEach, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { removeDeployment } from '../remove.ts'
import { controlDeployment } from '../control.ts'
import { deploymentOverview } from '../views.ts'
import { accrueDividends } from './reconcile/dividends.ts'
import { reconcile } from './reconcile/reconcile.ts'
import type { LiveRunner } from './runner.ts'
import { takeSnapshot } from './valuation.ts'

let world: LiveWorld
let runner: LiveRunner
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })
beforeEach(() => void (runner = world.runner()))

const account = () => (world.stage as AlpacaStage).standIn.account
const today = () => epochDayOf(world.clock.now().getTime())

async function deployedWith(name: string): Promise<number> {
  const { id } = await world.deployed({ name, settings: settingsOf({ rebalanceFrequency: 'none' }) })
  return id
}

async function nextDecision(): Promise<void> {
  world.toDecision()
  await settle(world, runner, 4)
}

/** Everything that it holds becomes cash of its own. */
async function sellEverything(id: number): Promise<void> {
  await controlDeployment(world.deps, world.userId, id, 'stop', { positions: 'sell' })
  await settle(world, runner, 4)
  world.clock.advance(MINUTE)
  await settle(world, runner, 2)
}

/** Holder A sells on the ex-date, B buys on it, and it is paid a week later. */
async function soldAndBoughtOnExDate(): Promise<{ a: number; b: number; exDay: number }> {
  const a = await deployedWith('A')
  await nextDecision()
  expect(await sliceOf(world, a)).toEqual(INVESTED)
  world.toDecision()
  const exDay = today()
  await sellEverything(a)
  const b = await deployedWith('B')
  world.toDecision()
  await settle(world, runner, 4)
  expect(await sliceOf(world, b)).toEqual(INVESTED)
  world.clock.advance(7 * DAY)
  return { a, b, exDay }
}

const cashOf = async (id: number) => (await sliceOf(world, id))[0]

it('a dividend belongs to whoever held the shares before the ex-date that market data say', async () => {
  const { a, b, exDay } = await soldAndBoughtOnExDate()
  world.signalService.dividendsOf = {
    SPY: [
      { exDay: exDay - 60, amount: 2 },
      { exDay, amount: 2 },
    ],
  }
  account().book('DIV', '30', undefined, { symbol: 'SPY', per_share_amount: '2', qty: '15' })
  await settle(world, runner, 3)
  expect([await cashOf(a), await cashOf(b)]).toEqual(['10030', '0'])
  await expectSound(world)
})

it('the record date that the broker names comes first', async () => {
  const { a, b, exDay } = await soldAndBoughtOnExDate()
  const record = new Date(exDay * DAY).toISOString().slice(0, 10)
  account().book('DIV', '30', undefined, {
    symbol: 'SPY',
    per_share_amount: '2',
    description: `Cash DIV @ 2, Pos QTY: 15, Rec Date: ${record}`,
  })
  await settle(world, runner, 3)
  expect([await cashOf(a), await cashOf(b)]).toEqual(['10030', '0'])
})

it('is of those who hold it when it is paid where nobody knows an ex-date', async () => {
  const { a, b } = await soldAndBoughtOnExDate()
  account().book('DIV', '30', undefined, { symbol: 'SPY', per_share_amount: '2', qty: '15' })
  await settle(world, runner, 3)
  expect([await cashOf(a), await cashOf(b)]).toEqual(['10000', '30'])
})

it('is divided among all deployments that held it then; what a deleted one would get is the rest of the account', async () => {
  const [a, b] = [await deployedWith('A'), await deployedWith('B')]
  await nextDecision()
  world.toDecision()
  const exDay = today()
  await sellEverything(b)
  await removeDeployment(world.deps, world.userId, b)
  world.clock.advance(5 * DAY)
  world.signalService.dividendsOf = { SPY: [{ exDay, amount: 2 }] }
  const before = (await world.deps.database.books.books(world.accountId)).get('unallocated')!.cash
  account().book('DIV', '60', undefined, { symbol: 'SPY', per_share_amount: '2', qty: '30' })
  await settle(world, runner, 3)
  expect(await cashOf(a)).toBe('30')
  const after = (await world.deps.database.books.books(world.accountId)).get('unallocated')!.cash
  expect(String(after.minus(before))).toBe('30')
  await expectSound(world)
})

it('counts from its ex-date in value and returns, and once when it is paid', async () => {
  const a = await deployedWith('A')
  await nextDecision()
  world.toDecision()
  const exDay = today()
  world.signalService.dividendsOf = { SPY: [{ exDay, amount: 2 }] }
  const value = async () => String((await deploymentOverview(world.deps, world.userId, a)).view.value.rounded(2))
  const growth = async () => {
    const reconciliation = await reconcile(world.deps, world.stage.broker, world)
    await accrueDividends(world.deps, await deploymentOf(world, a), reconciliation, new Date(nyse.closeOf(exDay)))
    await takeSnapshot(world.deps, await deploymentOf(world, a), reconciliation)
    return (await world.deps.database.journal.lastSnapshot(a))!.growth
  }
  const before = [await value(), (await world.deps.database.journal.lastSnapshot(a))!.growth]
  // The price falls by what the share lost.
  world.quotes.set('SPY', Decimal.parse('398'))
  expect([await growth(), await value()]).toEqual([before[1], before[0]])
  expect(await sliceOf(world, a)).toEqual(INVESTED)
  expect([await growth(), await value()], 'accrued once').toEqual([before[1], before[0]])
  world.clock.advance(6 * DAY)
  account().book('DIV', '30', undefined, { symbol: 'SPY', per_share_amount: '2', qty: '15' })
  expect([await growth(), await value()]).toEqual([before[1], before[0]])
  expect(await cashOf(a)).toBe('30')
  expect((await deploymentOf(world, a)).dividendsDue).toBeUndefined()
  expect([await growth(), await value()], 'not again after it was paid').toEqual([before[1], before[0]])
  const { entries } = await world.deps.database.books.page(a, 1, 20, { types: ['DIVIDEND'], search: undefined })
  expect(entries.map(({ direction, amount }) => `${direction} ${String(amount)}`)).toEqual(['in 30', 'none 0'])
})

it('of a deployment that is stopped counts from its ex-date, too', async () => {
  const a = await deployedWith('A')
  await nextDecision()
  world.toDecision()
  const exDay = today()
  world.signalService.dividendsOf = { SPY: [{ exDay, amount: 2 }] }
  await controlDeployment(world.deps, world.userId, a, 'stop')
  await settle(world, runner, 2)
  world.clock.advance(DAY)
  await settle(world, runner, 3)
  expect(
    (await deploymentOf(world, a)).dividendsDue?.map(({ ticker, amount }) => `${ticker} ${String(amount)}`),
  ).toEqual(['SPY 30'])
})
