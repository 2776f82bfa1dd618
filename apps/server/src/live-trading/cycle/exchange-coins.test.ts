import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, HOUR } from '@tradewright/core/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BinanceStage, binanceCoinStage } from '../../../test-support/live/binance-stage.ts'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { deployForm, expectSound, liveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { controlDeployment } from '../control.ts'
import { deploy } from '../deploy/deploy.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const SATURDAY = dateOf('2026-03-07') * DAY + 10 * HOUR + 1
const EVERY_DAY = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Hourly deployments of coins at the stand-in of Binance, which charges 0.1 % in the coin or in money. */
async function deployedAtBinance(percentages: Record<string, number>) {
  const world = await liveWorld({ database, now: SATURDAY, percentages, stage: binanceCoinStage })
  const stage = world.stage as BinanceStage
  stage.standIn.account.commission = Decimal.parse('0.001')
  world.quotes.clear()
  world.quotes.set('BTC-USD', Decimal.parse('50000.01'))
  world.quotes.set('ETH-USD', Decimal.parse('3000.07'))
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const strategy = strategyOf(percentages)
  const readStrategy = () => ({ ...strategy, request: { ...strategy.request, granularity: '1h' as const } })
  const settings = settingsOf({
    frequencyType: 'continuous',
    checkFrequencyMinutes: 60,
    bypassMarketHours: true,
    tradingDays: [...EVERY_DAY],
  })
  const form = deployForm({ strategyId, accountId: world.accountId, settings })
  const { deployment } = await deploy({ ...world.deps, readStrategy }, world.userId, form)
  await controlDeployment(world.deps, world.userId, deployment.id, 'start')
  return { world, stage, deployment }
}

it('buys, shifts and sells coins; the fees in coins and in money are the deployment’s', async () => {
  const { world, stage, deployment } = await deployedAtBinance({ 'BTC-USD': 60, 'ETH-USD': 40 })
  const runner = world.runner()
  const run = async (percentages: Record<string, number>) => {
    world.signalService.percentages = percentages
    // One rebalance a day; runs of the hours between are missed.
    world.clock.advance(DAY)
    await settle(world, runner, 2)
    world.clock.advance(HOUR)
    await settle(world, runner, 8)
    expect((await world.deps.database.books.state(world.accountId))?.disagreement).toBeNull()
    await expectSound(world)
  }
  await run({ 'BTC-USD': 60, 'ETH-USD': 40 })
  // 0.11999 BTC and 1.3333 ETH without a thousandth of each.
  expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['0.11987001 BTC-USD', '1.3319667 ETH-USD'])
  await run({ 'BTC-USD': 100, 'ETH-USD': 0 })
  await run({ 'BTC-USD': 0, 'ETH-USD': 100 })
  expect(await outcomeOf(world, deployment.id)).toBe('done')
  // Four purchases and two sales: each is charged once, and to the deployment.
  const { entries } = await world.deps.database.books.page(deployment.id, 1, 50, { types: ['FEE'], search: undefined })
  expect(entries.map(({ note }) => String(note)).sort()).toEqual([
    'Fee of selling BTC-USD',
    'Fee of selling ETH-USD',
    'Fee of trading BTC-USD, taken in BTC',
    'Fee of trading BTC-USD, taken in BTC',
    'Fee of trading ETH-USD, taken in ETH',
    'Fee of trading ETH-USD, taken in ETH',
  ])
  // What is left of Bitcoin is too small to sell.
  const [, rest] = await sliceOf(world, deployment.id)
  expect(rest).toMatch(/^0\.00000\d+ BTC-USD$/)
  expect(stage.violations).toEqual([])
  await world.close()
})

it('plans orders below the exchange’s minimum away, so that none is refused', async () => {
  const { world, stage, deployment } = await deployedAtBinance({ 'BTC-USD': 99.97, 'ETH-USD': 0.03 })
  const runner = world.runner()
  world.clock.advance(HOUR)
  await settle(world, runner, 8)
  expect(stage.standIn.account.orders.map(({ symbol }) => symbol)).toEqual(['BTCUSDT'])
  expect(await outcomeOf(world, deployment.id)).toBe('done')
  expect(stage.violations).toEqual([])
  await world.close()
})
