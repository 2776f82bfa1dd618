import { Decimal } from '@tradewright/core/decimal'
import { isAuction, MARKET_EXECUTION, type OrderExecution } from '@tradewright/core/order-types'
import { Random } from '@tradewright/core/random'
import { epochDayOf } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { openingWindow } from '@tradewright/engine/trading/auctions'
import { expect, it } from 'vitest'
import { Problem } from '@tradewright/core/problem'
import { binanceStage } from './binance-stage.ts'
import type { PlaceFault } from './broker-stage.ts'
import { expireLeases } from './live-story.ts'
import { expectBalanced, expectSound, type LiveWorld, liveWorld, settingsOf, settle } from './live-world.ts'
import { changeCapital, disallocateCapital } from '../../src/live-trading/capital/change-capital.ts'
import { acceptBroker } from '../../src/live-trading/capital/accept-broker.ts'
import type { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import type { Deployment } from '../../src/live-trading/deployment.ts'

/** LIVE_CAMPAIGN=month runs a whole month of sessions; the usual tests run a week's beginning, without auctions. */
const IS_MONTH = process.env['LIVE_CAMPAIGN'] === 'month'
const SESSIONS = IS_MONTH ? 21 : 4
const DEPLOYMENTS = 10
const FAULTS: PlaceFault[] = [
  'answer-lost',
  'not-arrived',
  'error-500',
  'limited-429',
  'reset',
  'refused',
  'rejected',
  'wash-trade',
]
const TICKERS = ['SPY', 'TLT', 'GLD']
/** Those that end within a session's beats. */
const EXECUTIONS: OrderExecution[] = [
  MARKET_EXECUTION,
  { ...MARKET_EXECUTION, type: 'collar' },
  { ...MARKET_EXECUTION, type: 'limit', timeoutMinutes: 1, afterTimeout: 'market' },
  { ...MARKET_EXECUTION, type: 'limit', timeoutMinutes: 1 },
  { ...MARKET_EXECUTION, type: 'slices', slices: 3, sliceMinutes: 2 },
]

const AUCTIONS: OrderExecution[] = [
  { ...MARKET_EXECUTION, type: 'on_close' },
  { ...MARKET_EXECUTION, type: 'on_open' },
]

/** Where ten deployments trade. */
export const FAULTY_PLACES = [
  {
    place: 'one account',
    stage: undefined,
    faults: FAULTS,
    executions: IS_MONTH ? [...EXECUTIONS, ...AUCTIONS] : EXECUTIONS,
  },
  {
    place: 'one account at an exchange',
    stage: binanceStage,
    faults: FAULTS.filter((fault) => fault !== 'wash-trade'),
    executions: EXECUTIONS.filter(({ type }) => type === 'market' || type === 'slices'),
  },
]

export const throughRandomFaults = (places: readonly (typeof FAULTY_PLACES)[number][]) =>
  it.each(places)(
    `${DEPLOYMENTS} deployments on $place through ${SESSIONS} sessions of random faults end with balanced books`,
    async ({ stage, faults, executions }) => {
      const random = new Random(20260303)
      const world = await liveWorld(stage && { stage })
      const deployments: Deployment[] = []
      for (let i = 0; i < DEPLOYMENTS; i++) {
        deployments.push(
          await world.deployed({
            name: `Deployment ${i}`,
            capitalPolicyValue: Decimal.fromNumber(1_000 + random.below(8_000)),
            settings: settingsOf({
              rebalanceFrequency: random.below(2) === 0 ? 'daily' : 'none',
              execution: executions[i % executions.length]!,
            }),
          }),
        )
      }
      let runner = world.runner()
      for (let session = 0; session < SESSIONS; session++) {
        moveMarket(world, random)
        world.signalService.percentages = weights(random)
        world.toDecision()
        for (let beat = 0; beat < 5; beat++) {
          if (random.below(2) === 0) world.stage.placeFaults.push(faults[random.below(faults.length)]!)
          world.stage.tellsFillsTimes = 1 + random.below(3)
          world.stage.hidesFills = random.below(8) === 0
          world.stage.holdsFills = random.below(8) === 0
          world.stage.quoteAge = random.below(8) === 0 ? 600_000 : 0
          await moveMoney(world, deployments[random.below(DEPLOYMENTS)]!, random)
          await runner.tick()
          world.clock.advance(1_000 + random.below(20_000))
          if (random.below(6) === 0) {
            // The process dies and another one takes over.
            runner = world.runner()
            await expireLeases(world)
          }
        }
        Object.assign(world.stage, { hidesFills: false, holdsFills: false, quoteAge: 0, tellsFillsTimes: 1 })
        world.stage.trade()
        if (random.below(3) === 0) await tradeByHand(world, random)
        world.stage.placeFaults.length = 0
        for (let beat = 0; beat < 8; beat++) {
          await runner.tick()
          world.clock.advance(30_000)
        }
        if (executions.some(({ type }) => isAuction(type))) await throughAuctions(world, runner, random, faults)
        const state = await world.deps.database.books.state(world.accountId)
        if (state?.disagreement) await acceptBroker(world.deps, world.userId, deployments[0]!.id)
        await expectBalanced(world)
      }
      // Slices that waited for an account which disagreed are given up when their time is over.
      world.clock.advance(30 * 60_000)
      await settle(world, runner, 3)
      await expectSound(world)
      const open = await world.deps.database.orders.unsettled(world.accountId)
      expect(open).toEqual([])
      expect(world.stage.violations).toEqual([])
      await world.close()
    },
    600_000,
  )

export const SHORT_EXECUTIONS = IS_MONTH ? [...EXECUTIONS, ...AUCTIONS] : [EXECUTIONS[0]!, EXECUTIONS[2]!]

export const shortThroughRandomFaults = (executions: readonly OrderExecution[]) =>
  it.each(executions)(
    `a deployment that goes short and long by $type orders through ${SESSIONS} sessions of random faults ends with balanced books`,
    async (execution) => {
      const random = new Random(20261118)
      const world = await liveWorld({ percentages: { SPY: 60, TLT: -30 }, leverageLimit: 2 })
      const deployment = await world.deployed({
        capitalPolicyValue: Decimal.fromNumber(20_000),
        settings: settingsOf({ execution }),
      })
      let runner = world.runner()
      let shortSessions = 0
      for (let session = 0; session < SESSIONS; session++) {
        moveMarket(world, random)
        world.signalService.percentages = { SPY: random.below(150) - 50, TLT: random.below(100) - 50 }
        world.toDecision()
        for (let beat = 0; beat < 6; beat++) {
          if (random.below(3) === 0) world.stage.placeFaults.push(FAULTS[random.below(FAULTS.length)]!)
          world.stage.tellsFillsTimes = 1 + random.below(3)
          world.stage.hidesFills = random.below(8) === 0
          world.stage.holdsFills = random.below(8) === 0
          await moveMoney(world, deployment, random)
          await runner.tick()
          world.clock.advance(1_000 + random.below(20_000))
          if (random.below(6) === 0) {
            runner = world.runner()
            await expireLeases(world)
          }
        }
        Object.assign(world.stage, { hidesFills: false, holdsFills: false, tellsFillsTimes: 1 })
        world.stage.trade()
        // A trade by hand in a ticker that the deployment does not trade.
        if (random.below(3) === 0) await world.stage.tradeByHand('buy', 'GLD', '2')
        world.stage.placeFaults.length = 0
        for (let beat = 0; beat < 10; beat++) {
          await runner.tick()
          world.clock.advance(30_000)
        }
        if (isAuction(execution.type)) await throughAuctions(world, runner, random, FAULTS)
        const state = await world.deps.database.books.state(world.accountId)
        if (state?.disagreement) await acceptBroker(world.deps, world.userId, deployment.id)
        await expectBalanced(world)
        const { positions } = await world.deps.database.books.slice(world.accountId, deployment.id)
        if ([...positions.values()].some(({ isNegative }) => isNegative)) shortSessions++
      }
      world.clock.advance(30 * 60_000)
      await settle(world, runner, 3)
      await expectSound(world)
      expect(await world.deps.database.orders.unsettled(world.accountId)).toEqual([])
      expect(shortSessions).toBeGreaterThan(SESSIONS / 4)
      await world.close()
    },
    600_000,
  )

/** The close, the evening in which orders for the next open are sent, and that open. */
async function throughAuctions(
  world: LiveWorld,
  runner: LiveRunner,
  random: Random,
  faults: readonly PlaceFault[],
): Promise<void> {
  const day = epochDayOf(world.clock.now().getTime())
  const passTo = (instant: number) => world.clock.advance(instant - world.clock.now().getTime())
  const beat = async () => {
    await runner.tick()
    world.clock.advance(25_000)
  }
  passTo(nyse.closeOf(day))
  world.broker.inner.auction('cls')
  for (let i = 0; i < 3; i++) await beat()
  passTo(openingWindow(day, nyse).from + 1_000)
  for (let i = 0; i < 5; i++) {
    if (random.below(2) === 0) world.stage.placeFaults.push(faults[random.below(faults.length)]!)
    await beat()
  }
  world.stage.placeFaults.length = 0
  for (let i = 0; i < 5; i++) await beat()
  passTo(nyse.openOf(nyse.nextSession(day)))
  world.broker.inner.auction('opg')
  for (let i = 0; i < 3; i++) await beat()
}

function moveMarket(world: LiveWorld, random: Random): void {
  for (const ticker of TICKERS) {
    const price = world.quotes.get(ticker)!
    world.quotes.set(ticker, price.times(Decimal.fromNumber(0.97 + random.float() * 0.06)).rounded(2))
  }
}

function weights(random: Random): Record<string, number> {
  const [first, second] = [random.below(60), random.below(40)]
  return { SPY: first, TLT: second, GLD: 100 - first - second }
}

/** Contributions, withdrawals and disallocations at any moment; refusals are answers, too. */
async function moveMoney(world: LiveWorld, { id }: Deployment, random: Random): Promise<void> {
  const amount = String(1 + random.below(50_000) / 100)
  const kind = random.below(4)
  try {
    if (kind === 0) await changeCapital(world.deps, world.userId, id, { type: 'CONTRIBUTION', amount, note: undefined })
    if (kind === 1) await changeCapital(world.deps, world.userId, id, { type: 'WITHDRAWAL', amount, note: undefined })
    if (kind === 2) await disallocateCapital(world.deps, world.userId, id, String(1 + random.below(5)), undefined)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
  }
}

async function tradeByHand(world: LiveWorld, random: Random): Promise<void> {
  const ticker = TICKERS[random.below(TICKERS.length)]!
  const held = (await world.stage.broker.positions()).find((position) => position.ticker === ticker)
  const side = held && random.below(2) === 0 ? ('sell' as const) : ('buy' as const)
  const quantity = Decimal.fromNumber(1 + random.below(300) / 100)
  if (side === 'sell' && held!.quantity.isBelow(quantity)) return
  await world.stage.tradeByHand(side, ticker, String(quantity))
}
