import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { expect } from 'vitest'
import { controlDeployment } from '../../src/live-trading/control.ts'
import type { DecisionOutcome } from '../../src/live-trading/decision.ts'
import type { Deployment, DeploymentSettings } from '../../src/live-trading/deployment.ts'
import { removeDeployment } from '../../src/live-trading/remove.ts'
import type { BrokerStage, PlaceFault } from './broker-stage.ts'
import { INVESTED, ONLY_CASH } from './live-story.ts'
import type { LiveWorld } from './live-world.ts'

export interface FaultScene {
  readonly world: LiveWorld
  readonly stage: BrokerStage
  readonly deployment: Deployment
  /** All processes look, so many times, a second apart. */
  readonly beat: (times: number) => Promise<void>
}

/** Something that goes wrong, and how it must end. */
export interface FaultCase {
  readonly fault: string
  readonly settings?: Partial<DeploymentSettings>
  /** It begins when a first decision has been carried out. */
  readonly isInvested?: boolean
  play(scene: FaultScene): Promise<void>
  readonly ends: {
    readonly slice: readonly string[]
    /** Orders that the broker took, those by hand among them. */
    readonly orders: number
    readonly outcome?: DecisionOutcome
    readonly status?: Deployment['status']
    /** Why it does not trade; it does, where nothing is said. */
    readonly health?: RegExp
    /** In the log and in the activity. */
    readonly told: RegExp
  }
}

const NOT_YET = ONLY_CASH
const decided = { slice: INVESTED, orders: 2, outcome: 'done' } as const

async function decide({ world, beat }: FaultScene, beats = 8): Promise<void> {
  world.toDecision()
  await beat(beats)
}

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
    fault: 'an execution comes later, and nobody announces it',
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
      told: /The broker rejected the order to buy SPY: asset halted/,
    },
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
      told: /The order to buy SPY was refused: .*insufficient buying power/,
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
    ends: { slice: NOT_YET, orders: 0, outcome: 'done', told: /Insufficient buying power: .* by 5\.00 %/ },
  },
]

const outside: readonly FaultCase[] = [
  {
    fault: 'an order is placed by hand',
    isInvested: true,
    async play(scene) {
      await scene.stage.tradeByHand('buy', 'SPY', '3')
      await decide(scene, 4)
    },
    ends: {
      slice: INVESTED,
      orders: 3,
      outcome: 'done',
      told: /3 SPY bought at \$400\.00 in this account outside of the deployments/,
    },
  },
  {
    fault: 'shares of a deployment are sold by hand',
    isInvested: true,
    async play(scene) {
      await scene.stage.tradeByHand('sell', 'SPY', '10')
      scene.world.desk.percents = { GLD: 100 }
      await decide(scene, 3)
    },
    ends: {
      slice: INVESTED,
      orders: 3,
      health: /SPY that deployments own was sold outside of them/,
      told: /Broker and books disagree/,
    },
  },
  {
    fault: 'an order is lost, and shares are sold by hand before it is sent again',
    isInvested: true,
    async play(scene) {
      scene.world.desk.percents = { GLD: 100 }
      scene.stage.placeFaults.push('not-arrived', 'not-arrived')
      await decide(scene, 1)
      await scene.stage.tradeByHand('sell', 'SPY', '10')
      await scene.beat(3)
    },
    ends: {
      slice: INVESTED,
      orders: 3,
      outcome: 'selling',
      health: /sold outside/,
      told: /The fate of the order to sell SPY is unknown/,
    },
  },
  {
    fault: 'shares are split overnight',
    isInvested: true,
    async play({ world, stage, beat }) {
      world.desk.splitsOf = { SPY: ['4'] }
      stage.multiplyShares('SPY', '4')
      world.clock.advance(61 * SECOND)
      await beat(2)
    },
    ends: { slice: ['0', '44.444444444 TLT', '60 SPY'], orders: 2, outcome: 'done', told: /Split of SPY, 4 for 1/ },
  },
  {
    fault: 'shares change without a reason',
    isInvested: true,
    async play({ world, stage, beat }) {
      stage.multiplyShares('SPY', '0.5')
      world.clock.advance(61 * SECOND)
      await beat(2)
    },
    ends: {
      slice: INVESTED,
      orders: 2,
      health: /The broker holds 7\.5 SPY, but the books say 15\./,
      told: /Broker and books disagree/,
    },
  },
  {
    fault: 'an asset is halted',
    play(scene) {
      scene.stage.halted.add('SPY')
      return decide(scene, 4)
    },
    ends: {
      slice: ['6000', '44.444444444 TLT'],
      orders: 1,
      outcome: 'incomplete',
      told: /SPY cannot be traded now and is not bought/,
    },
  },
  {
    fault: 'the account is blocked',
    play(scene) {
      scene.stage.blockedBecause = 'trading is blocked'
      return decide(scene, 2)
    },
    ends: {
      slice: NOT_YET,
      orders: 0,
      health: /takes no orders for this account: trading is blocked/,
      told: /trading is blocked/,
    },
  },
]

const surroundings: readonly FaultCase[] = [
  ...(['The newest data of SPY is of 2026-02-27, 1 session behind.', 'There is no data of SPY.'] as const).map(
    (sentence): FaultCase => ({
      fault: `data fails: ${sentence}`,
      async play(scene) {
        scene.world.desk.failure = new Problem('conflict', 'deployment.data', sentence)
        await decide(scene, 2)
        expect(await scene.stage.ordersTaken()).toEqual([])
        expect((await scene.world.deps.database.deployments.byId(scene.deployment.id))?.healthProblem).toBe(sentence)
        scene.world.desk.failure = undefined
        scene.world.clock.advance(MINUTE)
        await scene.beat(4)
      },
      ends: { ...decided, told: new RegExp(sentence.replaceAll('.', '\\.')) },
    }),
  ),
  {
    fault: 'data fails until the run is over',
    async play(scene) {
      scene.world.desk.failure = new Problem('conflict', 'deployment.data', 'Nothing new.')
      await decide(scene, 1)
      scene.world.clock.advance(31 * MINUTE)
      await scene.beat(1)
    },
    ends: { slice: NOT_YET, orders: 0, health: /Nothing new\./, told: /The run of .* was missed\. Nothing new\./ },
  },
  {
    fault: 'the broker cannot be reached for a minute',
    async play(scene) {
      scene.stage.isAway = true
      await decide(scene, 2)
      scene.stage.isAway = false
      scene.world.clock.advance(MINUTE)
      await scene.beat(4)
    },
    ends: { ...decided, told: /The brokerage account cannot be used: .*(cannot be reached|cannot be asked)/ },
  },
  {
    fault: 'this machine’s clock is ten minutes behind the broker’s',
    async play({ world, stage, deployment, beat }) {
      stage.clockSkew = 10 * MINUTE
      world.toDecision(10 * MINUTE - 2 * SECOND)
      await beat(6)
      expect(world.clock.now().getTime()).toBeLessThan(deployment.nextRunAt!.getTime())
    },
    ends: { ...decided, told: /clock is 600 seconds behind the broker's; the broker's counts/ },
  },
  {
    fault: 'it is deleted while it runs',
    async play(scene) {
      const { world, deployment } = scene
      scene.stage.holdsFills = true
      await decide(scene, 1)
      await expect(removeDeployment(world.deps, world.userId, deployment.id)).rejects.toMatchObject({
        kind: 'conflict',
      })
      scene.stage.trade()
      await scene.beat(4)
    },
    ends: { ...decided, told: /A deletion was refused, because it is running/ },
  },
  {
    fault: 'it is stopped between its order and the execution',
    async play(scene) {
      const { world, deployment } = scene
      scene.stage.holdsFills = true
      await decide(scene, 1)
      await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
      await scene.beat(4)
      const states = (await scene.stage.ordersTaken()).map(({ state }) => state)
      expect(states).toEqual(['canceled', 'canceled'])
    },
    ends: { slice: NOT_YET, orders: 2, outcome: 'incomplete', status: 'stopped', told: /Stopped: open orders/ },
  },
]

export const faultCases: readonly FaultCase[] = [
  ...lostOrders,
  ...executions,
  ...buyingPower,
  ...outside,
  ...surroundings,
]
