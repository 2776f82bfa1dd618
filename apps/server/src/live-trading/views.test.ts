import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { eachInAWorld } from '../../test-support/live/each-in-a-world.ts'
import { invested } from '../../test-support/live/live-story.ts'
import { type LiveWorld, settle } from '../../test-support/live/live-world.ts'
import { acceptBroker } from './capital/accept-broker.ts'
import { deploymentsAtAGlance } from './summary.ts'
import { deploymentOverview, holdingsOf } from './views.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened))

it('shows what is held against its target, what it cost and what it gained', async () => {
  const { deployment } = await invested(world)
  const { view, lastDecision, averageCosts } = await deploymentOverview(world.deps, world.userId, deployment.id)
  expect(
    holdingsOf(view, lastDecision).map(({ ticker, weight, target }) => [ticker, weight?.toFixed(3), target]),
  ).toEqual([
    ['SPY', '0.600', 0.6],
    ['TLT', '0.400', 0.4],
  ])
  expect(String(averageCosts.get('SPY'))).toBe('400')
  // Wanted and not held is shown, too.
  const without = { ...view, slice: { ...view.slice, positions: new Map() } }
  expect(holdingsOf(without, lastDecision).map(({ ticker, weight }) => [ticker, weight])).toEqual([
    ['SPY', 0],
    ['TLT', 0],
  ])
})

it('has on cards the light, the holdings and the last decision of each deployment', async () => {
  const { deployment } = await invested(world)
  const other = await world.deployed({ name: 'Other', capitalPolicyValue: Decimal.parse('5000') })
  const { glances } = await deploymentsAtAGlance(world.deps, world.userId)
  const of = (id: number) => glances.find((one) => one.id === id)!
  expect(of(deployment.id)).toMatchObject({ light: 'green', lastDecision: { outcome: 'done' } })
  expect(of(deployment.id).holdings).toHaveLength(2)
  expect(of(other.id)).toMatchObject({ light: 'yellow', holdings: [], lastDecision: undefined })
})

it('is green only while everything that was wanted is held, and nothing else', async () => {
  const { deployment, runner } = await invested(world)
  const glance = async () => (await deploymentsAtAGlance(world.deps, world.userId)).glances[0]!
  const health = async () => (await deploymentOverview(world.deps, world.userId, deployment.id)).health
  expect((await health()).light).toBe('green')
  await world.stage.tradeByHand('sell', 'SPY', '15')
  world.clock.advance(MINUTE)
  await settle(world, runner, 2)
  expect((await health()).light).toBe('red')
  await acceptBroker(world.deps, world.userId, deployment.id)
  world.clock.advance(MINUTE)
  await settle(world, runner, 2)
  expect(await health()).toMatchObject({
    light: 'yellow',
    reasons: ['SPY: nothing is held against a target of 60.0%.'],
  })
  expect((await glance()).light).toBe('yellow')
  world.toDecision()
  await settle(world, runner, 6)
  expect(await health()).toMatchObject({ light: 'green', reasons: [] })
})
