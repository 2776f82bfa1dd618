import { Problem } from '@tradewright/core/problem'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { expect } from 'vitest'
import { controlDeployment } from '../../../src/live-trading/control.ts'
import { removeDeployment } from '../../../src/live-trading/remove.ts'
import { healthOf, ONLY_CASH } from '../live-story.ts'
import { decide, decided, type FaultCase } from './fault-case.ts'

/** Data, lines, clocks, and people at their screens. */
export const surroundingFaults: readonly FaultCase[] = [
  ...(['The newest data for SPY is from 2026-02-27, 1 session behind.', 'There is no data for SPY.'] as const).map(
    (sentence): FaultCase => ({
      fault: `data fails: ${sentence}`,
      async play(scene) {
        scene.world.signalService.failure = new Problem('conflict', 'deployment.data', sentence)
        await decide(scene, 2)
        expect(await scene.stage.ordersTaken()).toEqual([])
        expect(await healthOf(scene.world, scene.deployment.id)).toBe(sentence)
        scene.world.signalService.failure = undefined
        scene.world.clock.advance(MINUTE)
        await scene.beat(4)
      },
      ends: { ...decided, told: new RegExp(sentence.replaceAll('.', '\\.')) },
    }),
  ),
  {
    fault: 'data fails until the run is over',
    async play(scene) {
      scene.world.signalService.failure = new Problem('conflict', 'deployment.data', 'Nothing new.')
      await decide(scene, 1)
      scene.world.clock.advance(31 * MINUTE)
      await scene.beat(1)
    },
    ends: { slice: ONLY_CASH, orders: 0, health: /Nothing new\./, told: /The run of .* was missed\. Nothing new\./ },
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
    ends: { ...decided, told: /The brokerage account cannot be used: .*(cannot be reached|is not available)/ },
  },
  {
    fault: 'this machine’s clock is ten minutes behind the broker’s',
    async play({ world, stage, deployment, beat }) {
      stage.clockSkew = 10 * MINUTE
      world.toDecision(10 * MINUTE - 2 * SECOND)
      await beat(6)
      expect(world.clock.now().getTime()).toBeLessThan(deployment.nextRunAt!.getTime())
    },
    ends: { ...decided, told: /clock is 600 seconds behind the broker's; the broker's is used/ },
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
    ends: { slice: ONLY_CASH, orders: 2, outcome: 'incomplete', status: 'stopped', told: /Stopped: open orders/ },
  },
  {
    fault: 'the answers to the sales of a stop that sells everything are lost',
    isInvested: true,
    async play({ world, stage, deployment, beat }) {
      stage.placeFaults.push('answer-lost', 'reset')
      await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions: 'sell' })
      await beat(6)
    },
    ends: {
      slice: ONLY_CASH,
      orders: 4,
      status: 'stopped',
      told: /answer to the order to sell SPY was lost|fate of the order to sell SPY is unknown/,
    },
  },
]
