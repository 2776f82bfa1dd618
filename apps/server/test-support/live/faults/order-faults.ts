import { Decimal } from '@tradewright/core/decimal'
import { MARKET_EXECUTION } from '@tradewright/core/order-types'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { expect } from 'vitest'
import { deploymentOverview } from '../../../src/live-trading/views.ts'
import type { PlaceFault } from '../broker-stage.ts'
import { ONLY_CASH } from '../live-story.ts'
import { decide, decided, type FaultCase } from './fault-case.ts'

const lostOrders = (
  ['answer-lost', 'answer-late', 'not-arrived', 'error-500', 'limited-429', 'reset'] satisfies PlaceFault[]
).map((fault): FaultCase => ({
  fault: `an order meets ${fault}`,
  play(scene) {
    scene.stage.placeFaults.push(fault)
    return decide(scene)
  },
  ends: { ...decided, told: /answer to the order to buy SPY was lost|fate of the order to buy SPY is unknown/ },
}))

const executions: readonly FaultCase[] = [
  {
    fault: 'the same execution is told three times',
    play(scene) {
      scene.stage.tellsFillsTimes = 3
      return decide(scene)
    },
    ends: { ...decided, told: /Execution Complete\. .*Buy SPY: filled/ },
  },
  {
    fault: 'an execution comes later, and without a message',
    async play(scene) {
      scene.stage.holdsFills = true
      await decide(scene, 3)
      scene.stage.trade()
      await scene.beat(3)
    },
    ends: { ...decided, told: /Execution Complete\. .*Buy TLT: filled/ },
  },
  {
    fault: 'an execution is listed late',
    async play(scene) {
      scene.stage.hidesFills = true
      await decide(scene, 3)
      const { books, decisions } = scene.world.deps.database
      expect((await decisions.latest(scene.deployment.id))?.outcome).toBe('buying')
      expect((await books.state(scene.world.accountId))?.disagreement).toBeNull()
      scene.stage.hidesFills = false
      await scene.beat(4)
    },
    ends: { ...decided, told: /Execution Complete/ },
  },
  {
    fault: 'an execution is not listed for minutes',
    async play(scene) {
      const { world, stage, deployment, beat } = scene
      stage.hidesFills = true
      await decide(scene, 3)
      const health = async () => (await deploymentOverview(world.deps, world.userId, deployment.id)).health
      expect(await health()).toMatchObject({ light: 'yellow', booksAgree: false })
      world.clock.advance(5 * MINUTE)
      await beat(3)
      expect(await health()).toMatchObject({ light: 'green', booksAgree: true })
      // Listed after all, it is not booked again.
      stage.hidesFills = false
      world.clock.advance(61_000)
      await beat(2)
      expect((await health()).light).toBe('green')
    },
    ends: {
      ...decided,
      told: /does not list an execution: 15 SPY bought at \$400\.00, booked from the order/,
    },
  },
  {
    fault: 'an execution of an open order is not listed for minutes',
    async play(scene) {
      const { world, stage, deployment, beat } = scene
      stage.hidesFills = true
      stage.holdsFills = true
      await decide(scene, 2)
      stage.fillPart('SPY', 0.4)
      await beat(2)
      const health = async () => (await deploymentOverview(world.deps, world.userId, deployment.id)).health
      expect(await health()).toMatchObject({ light: 'yellow', booksAgree: false })
      world.clock.advance(5 * MINUTE)
      await beat(2)
      expect(await health()).toMatchObject({ light: 'red', booksAgree: false })
      expect((await health()).reasons.join(' ')).toContain('The broker holds 6 SPY, but the books say 0.')
      stage.hidesFills = false
      stage.holdsFills = false
      stage.trade()
      // It is polled less often by now.
      world.clock.advance(10 * SECOND)
      await beat(4)
      expect((await health()).light).toBe('green')
    },
    ends: { ...decided, told: /The broker holds 6 SPY, but the books say 0/ },
  },
  {
    fault: 'an order is filled in part, then cancelled',
    async play(scene) {
      scene.stage.holdsFills = true
      await decide(scene, 1)
      scene.stage.fillPart('TLT', 0.5)
      await scene.beat(1)
      await scene.stage.cancelByHand('TLT')
      scene.stage.trade()
      await scene.beat(3)
    },
    ends: {
      slice: ['2000', '15 SPY', '22.222222222 TLT'],
      orders: 2,
      outcome: 'incomplete',
      told: /not everything was traded\. .*Buy TLT: canceled, 22\.222222222 at \$90\.00/,
    },
  },
  {
    fault: 'an order is taken and then rejected',
    play(scene) {
      scene.stage.placeFaults.push('rejected')
      return decide(scene)
    },
    ends: {
      slice: ['6000', '44.444444444 TLT'],
      orders: 2,
      outcome: 'incomplete',
      told: /The broker rejected the order to buy SPY: (asset halted|Binance rejected the order)/,
    },
  },
]

const washTrades: readonly FaultCase[] = [
  {
    fault: 'an order is refused as a wash trade',
    isOfStocksOnly: true,
    play(scene) {
      scene.stage.placeFaults.push('wash-trade')
      return decide(scene)
    },
    ends: { ...decided, told: /order to buy SPY waits: another order of the account to sell it is open at the broker/ },
  },
]

const buyingPower: readonly FaultCase[] = [
  {
    fault: 'an order is refused for want of buying power',
    play(scene) {
      scene.stage.placeFaults.push('refused')
      return decide(scene)
    },
    ends: {
      slice: ['6000', '44.444444444 TLT'],
      orders: 1,
      outcome: 'incomplete',
      told: /The order to buy SPY was refused: .*insufficient (buying power|balance)/,
    },
  },
  {
    fault: 'buying power falls short by less than the forgiveness',
    settings: { forgivenessPct: 10 },
    play(scene) {
      scene.stage.buyingPower = Decimal.parse('9500')
      return decide(scene)
    },
    ends: {
      slice: ['500', '14.25 SPY', '42.222222222 TLT'],
      orders: 2,
      outcome: 'incomplete',
      told: /Purchases of \$10,000\.00 are cut down to the available \$9,500\.00/,
    },
  },
  {
    fault: 'buying power falls short by more than the forgiveness',
    settings: { forgivenessPct: 4 },
    play(scene) {
      scene.stage.buyingPower = Decimal.parse('9500')
      return decide(scene)
    },
    ends: { slice: ONLY_CASH, orders: 0, outcome: 'done', told: /Insufficient buying power: .* by 5\.00%/ },
  },
]

const collar = { ...MARKET_EXECUTION, type: 'collar' as const, collarPct: 1 }
const slices = { ...MARKET_EXECUTION, type: 'slices' as const, slices: 2, sliceMinutes: 2 }

/** Whole shares at Alpaca, fractions at the simulation: what was sold or bought is compared by the books. */
const typedOrders: readonly FaultCase[] = [
  {
    fault: 'the answer to the second slice of an order is lost',
    settings: { execution: slices },
    async play(scene) {
      await decide(scene, 3)
      scene.stage.placeFaults.push('answer-lost', 'reset')
      scene.world.clock.advance(MINUTE)
      await scene.beat(4)
    },
    ends: {
      ...decided,
      orders: 4,
      told: /answer to the order to buy SPY was lost|fate of the order to buy SPY is unknown/,
    },
  },
  {
    fault: 'the newest quote of an order with a collar is old',
    isOfStocksOnly: true,
    settings: { execution: collar },
    async play(scene) {
      scene.stage.quoteAge = 10 * MINUTE
      await decide(scene, 3)
      scene.world.clock.advance(15 * MINUTE)
      await scene.beat(3)
    },
    ends: {
      slice: ONLY_CASH,
      orders: 0,
      outcome: 'incomplete',
      told: /order to buy SPY waits: the newest quote is from/,
    },
  },
]

export const orderFaults: readonly FaultCase[] = [
  ...typedOrders,
  ...lostOrders,
  ...executions,
  ...washTrades,
  ...buyingPower,
]
