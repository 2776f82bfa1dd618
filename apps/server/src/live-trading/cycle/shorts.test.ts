import { Decimal } from '@tradewright/core/decimal'
import { MARKET_EXECUTION } from '@tradewright/core/order-types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alpacaStage, type AlpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { deploymentOf, healthOf, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  liveWorld,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { changeCapital, disallocateCapital } from '../capital/change-capital.ts'
import { controlDeployment } from '../control.ts'
import type { Deployment } from '../deployment.ts'
import { previewDecision } from '../deploy/preview.ts'
import { removeDeployment } from '../remove.ts'
import type { LiveRunner } from './runner.ts'

let database: TestDatabase
let world: LiveWorld
let deployment: Deployment
let runner: LiveRunner

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const decimal = (text: string) => Decimal.parse(text)
const percentages = { SPY: 100, TLT: -30 }
/** 30 % of $10,000 are 33 whole shares of TLT. */
const INVESTED = ['2970', '-33 TLT', '25 SPY']

async function nextRun(beats = 8): Promise<void> {
  world.toDecision()
  await settle(world, runner, beats)
}

const marginAccount: typeof alpacaStage = async (market) => {
  const stage = await alpacaStage(market)
  stage.standIn.account.multiplier = '2'
  stage.standIn.account.isShortingEnabled = true
  return stage
}
const account = () => (world.stage as AlpacaStage).standIn.account
const told = async () => (await activityOf(world, deployment.id)).join('\n')
/** Newest first, without the others. */
const shortOrders = async () =>
  (await world.deps.database.orders.newest(deployment.id, 50))
    .filter(({ isShort }) => isShort)
    .map(({ side, ticker }) => `${side} ${ticker}`)
const sent = async (from: number) =>
  (await world.stage.ordersTaken())
    .toReversed()
    .slice(from)
    .map(({ side, ticker, size }) => `${side} ${String('quantity' in size ? size.quantity : size.notional)} ${ticker}`)

describe.each([
  { stage: undefined, played: 'a broker behind the port' },
  { stage: marginAccount, played: 'a margin account at Alpaca' },
])('a deployment with short positions, with $played', ({ stage }) => {
  beforeEach(async () => {
    world = await liveWorld({ database, percentages, leverageLimit: 2, ...(stage && { stage }) })
    deployment = await world.deployed()
    runner = world.runner()
    await nextRun()
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
  })
  afterEach(async () => {
    await expectSound(world)
    expect(world.stage.violations).toEqual([])
    await world.close()
  })

  it('sells borrowed shares first, whole ones, and buys with what they brought', async () => {
    expect(await sent(0)).toEqual(['sell 33 TLT', 'buy 10000 SPY'])
    expect(await shortOrders()).toEqual(['sell TLT'])
    expect(await outcomeOf(world, deployment.id)).toBe('done')
  })

  it('gives shares back when they are worth more than their weight, and borrows more when they are worth less', async () => {
    world.quotes.set('TLT', decimal('100'))
    await nextRun()
    // 9,670 in all: 29 TLT, for which SPY is sold.
    expect(await sent(2)).toEqual(['sell 0.825 SPY', 'buy 4 TLT'])
    expect(await shortOrders()).toEqual(['buy TLT', 'sell TLT'])
    expect(await sliceOf(world, deployment.id)).toEqual(['2900', '-29 TLT', '24.175 SPY'])
    world.quotes.set('TLT', decimal('80'))
    await nextRun()
    expect((await sent(4))[0]).toBe('sell 9 TLT')
  })

  it('goes from a long position to a short one and back in two orders, each within one decision', async () => {
    world.signalService.percentages = { SPY: -50, TLT: 50 }
    await nextRun()
    expect(await sent(2)).toEqual(['sell 25 SPY', 'buy 33 TLT', 'buy 5000 TLT', 'sell 12 SPY'])
    expect(await sliceOf(world, deployment.id)).toEqual(['9800', '-12 SPY', '55.555555556 TLT'])
    expect(await outcomeOf(world, deployment.id)).toBe('done')
    world.signalService.percentages = { SPY: 100 }
    await nextRun()
    expect((await sent(6)).slice(0, 2)).toEqual(['sell 55.555555556 TLT', 'buy 12 SPY'])
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['25 SPY'])
  })

  it('buys everything back when it is stopped and sells everything', async () => {
    world.quotes.set('TLT', decimal('100'))
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions: 'sell' })
    await settle(world, runner, 6)
    expect((await sent(2)).toSorted()).toEqual(['buy 33 TLT', 'sell 25 SPY'])
    expect(await sliceOf(world, deployment.id)).toEqual(['9670'])
    expect(await told()).toContain('Everything is closed: what it held is sold, and borrowed shares are given back.')
    expect(await told()).toContain('everything it holds is sold, and borrowed shares of TLT are bought back.')
    expect(await shortOrders()).toEqual(['buy TLT', 'sell TLT'])
  })

  it('says what stays owed when it is stopped and keeps its positions', async () => {
    await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
    await settle(world, runner, 3)
    expect(await sliceOf(world, deployment.id)).toEqual(INVESTED)
    expect(await told()).toContain('positions are kept. Borrowed shares of TLT stay owed')
  })

  it('closes what it has when a short position has lost all of its money', async () => {
    world.signalService.percentages = { TLT: -100 }
    await nextRun()
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['-111 TLT'])
    world.quotes.set('TLT', decimal('190'))
    await nextRun()
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual([])
  })

  it('pays no one out of what is owed: not by a withdrawal, a disallocation or a deletion', async () => {
    const { deps, userId } = world
    const withdraw = (amount: string) =>
      changeCapital(deps, userId, deployment.id, { type: 'WITHDRAWAL', amount, note: undefined })
    await expect(withdraw('1')).rejects.toThrow('Withdrawal exceeds available cash ($0.00).')
    await expect(disallocateCapital(deps, userId, deployment.id, '50', undefined)).rejects.toThrow(
      'It is short of TLT. Stop it and sell everything first, which buys these shares back.',
    )
    await controlDeployment(deps, userId, deployment.id, 'stop')
    await expect(removeDeployment(deps, userId, deployment.id)).rejects.toThrow('It is short of TLT.')
  })

  it('says so when borrowed shares were bought by hand, and pays for them when that is accepted', async () => {
    await world.stage.tradeByHand('buy', 'TLT', '10')
    world.clock.advance(61_000)
    await settle(world, runner, 3)
    expect(await healthOf(world, deployment.id)).toContain(
      'TLT that deployments are short of was bought outside of them.',
    )
    await acceptBroker(world.deps, world.userId, deployment.id)
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await healthOf(world, deployment.id)).toBeNull()
    expect(await sliceOf(world, deployment.id)).toEqual(['2070', '-23 TLT', '25 SPY'])
  })

  it('previews short sales, and refuses a second deployment that trades the ticker in the same account', async () => {
    const { orders } = await previewDecision(world.deps, world.userId, deployment.id)
    expect(orders).toEqual([])
    await expect(world.deployed({ name: 'Other' })).rejects.toThrow(
      'TLT is traded by "Sixty forty live" in the same account. A broker holds one position of a ticker',
    )
  })

  it('does not sell short what the account holds outside of it', async () => {
    world.signalService.percentages = { SPY: 100, GLD: -30 }
    await world.stage.tradeByHand('buy', 'GLD', '5')
    await nextRun()
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['25 SPY'])
    expect(await outcomeOf(world, deployment.id)).toBe('incomplete')
    expect(await told()).toContain('GLD is not sold short: the account holds shares of it outside of this deployment')
  })

  it('sells in slices of whole shares', async () => {
    const execution = { ...MARKET_EXECUTION, type: 'slices' as const, sliceMinutes: 4 }
    await world.deps.database.deployments.change(deployment.id, {
      settings: settingsOf({ execution }),
    })
    world.signalService.percentages = { SPY: 50, TLT: -45 }
    world.toDecision()
    for (let minute = 0; minute < 12; minute++) {
      await settle(world, runner, 2)
      world.clock.advance(60_000)
    }
    const shorts = (await sent(2)).filter((one) => one.startsWith('sell') && one.endsWith('TLT'))
    expect(shorts).toEqual(['sell 4 TLT', 'sell 4 TLT', 'sell 4 TLT', 'sell 5 TLT'])
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['-50 TLT', '12.5 SPY'])
  })
})

describe('corporate actions of borrowed shares', () => {
  beforeEach(async () => {
    world = await liveWorld({ database, percentages, stage: marginAccount })
    deployment = await world.deployed()
    runner = world.runner()
    await nextRun()
  })
  afterEach(async () => {
    await expectSound(world)
    await world.close()
  })
  const poll = async () => {
    world.clock.advance(61_000)
    await settle(world, runner, 3)
  }

  it('a dividend is paid by the deployment that is short', async () => {
    account().book('DIV', '-33', '2026-03-03', { symbol: 'TLT', description: 'Dividend of TLT' })
    await poll()
    expect(await sliceOf(world, deployment.id)).toEqual(['2937', '-33 TLT', '25 SPY'])
    expect(await healthOf(world, deployment.id)).toBeNull()
  })

  it('a split makes more shares of what is owed', async () => {
    world.quotes.set('TLT', decimal('45'))
    account().act([{ type: 'SPLIT', symbol: 'TLT', qty: '-33' }])
    await poll()
    expect(await sliceOf(world, deployment.id)).toEqual(['2970', '-66 TLT', '25 SPY'])
    expect(await healthOf(world, deployment.id)).toBeNull()
  })

  it('a change of symbol is booked, and asked about', async () => {
    world.quotes.set('AAPL', decimal('90'))
    account().act([
      { type: 'NC', symbol: 'TLT', qty: '33', description: 'Name Change from TLT to AAPL' },
      { type: 'NC', symbol: 'AAPL', qty: '-33', description: 'Name Change from TLT to AAPL' },
    ])
    await poll()
    expect(await sliceOf(world, deployment.id)).toEqual(['2970', '-33 AAPL', '25 SPY'])
    expect(await world.deps.database.tickerChanges.of([deployment.id])).toMatchObject([{ from: 'TLT', to: 'AAPL' }])
  })
})

describe('short positions are refused with a sentence', () => {
  it('where the account does not allow them', async () => {
    world = await liveWorld({ database, percentages, stage: alpacaStage })
    await expect(world.deployed()).rejects.toThrow(
      'The strategy sells TLT short, and this account allows no short positions. Choose a margin account in which shorting ' +
        'is enabled, or the built-in paper account.',
    )
    await world.close()
  })

  it('where the broker does not lend the shares, before and after it is deployed', async () => {
    world = await liveWorld({ database, percentages, stage: marginAccount })
    account().hardToBorrow.add('TLT')
    await expect(world.deployed()).rejects.toThrow('The strategy sells TLT short, and the broker does not lend it.')
    account().hardToBorrow.clear()
    deployment = await world.deployed()
    runner = world.runner()
    account().hardToBorrow.add('TLT')
    await nextRun()
    expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['25 SPY'])
    expect(await told()).toContain('TLT is not sold short: the broker has none to lend now.')
    expect((await deploymentOf(world, deployment.id)).lastTrade?.isComplete).toBe(false)
    await world.close()
  })
})
