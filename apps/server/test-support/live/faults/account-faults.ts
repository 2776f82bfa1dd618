import { MINUTE, SECOND } from '@tradewright/core/time'
import { expect } from 'vitest'
import { acceptBroker } from '../../../src/live-trading/capital/accept-broker.ts'
import { controlDeployment } from '../../../src/live-trading/control.ts'
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
      scene.world.signalService.percentages = { GLD: 100 }
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
      scene.world.signalService.percentages = { GLD: 100 }
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
    fault: 'shares change while it is stopped',
    isInvested: true,
    async play({ world, stage, deployment, beat }) {
      await controlDeployment(world.deps, world.userId, deployment.id, 'stop')
      stage.multiplyShares('SPY', '0.5')
      world.clock.advance(16 * MINUTE)
      await beat(2)
    },
    ends: {
      slice: INVESTED,
      orders: 2,
      status: 'stopped',
      health: /The broker holds 7\.5 SPY, but the books say 15\./,
      told: /Broker and books disagree/,
    },
  },
  {
    fault: 'the broker cannot be reached when its figures are accepted',
    isInvested: true,
    async play({ world, stage, deployment, beat }) {
      stage.multiplyShares('SPY', '2')
      world.clock.advance(61 * SECOND)
      await beat(2)
      const accept = () => acceptBroker(world.deps, world.userId, deployment.id)
      stage.isAway = true
      await expect(accept()).rejects.toThrow()
      stage.isAway = false
      await accept()
      expect(await accept()).toBe('Broker and books agree; nothing had to be corrected.')
      world.clock.advance(61 * SECOND)
      await beat(2)
    },
    ends: {
      slice: ['0', '30 SPY', '44.444444444 TLT'],
      orders: 2,
      outcome: 'done',
      told: /The broker's figures were accepted with 1 correction\./,
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
      health: /accepts no orders for this account: trading is blocked/,
      told: /trading is blocked/,
    },
  },
]
