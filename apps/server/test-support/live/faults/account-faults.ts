import { SECOND } from '@tradewright/core/time'
import { INVESTED, ONLY_CASH } from '../live-story.ts'
import { decide, type FaultCase } from './fault-case.ts'

/** Events in the account without us. */
export const accountFaults: readonly FaultCase[] = [
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
      scene.world.signalService.percents = { GLD: 100 }
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
      scene.world.signalService.percents = { GLD: 100 }
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
      world.signalService.splitsOf = { SPY: ['4'] }
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
      slice: ONLY_CASH,
      orders: 0,
      health: /takes no orders for this account: trading is blocked/,
      told: /trading is blocked/,
    },
  },
]
