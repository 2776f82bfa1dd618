import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it } from 'vitest'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import {
  activityOf,
  expectSound,
  type LiveWorld,
  logOf,
  settingsOf,
  settle,
} from '../../../test-support/live/live-world.ts'
import { healthOf, mailsOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { changeCapital, disallocateCapital } from '../capital/change-capital.ts'
import { controlDeployment } from '../control.ts'
import type { Deployment } from '../deployment.ts'

let world: LiveWorld
eachInAWorld(
  (opened) => {
    world = opened
  },
  { percentages: { SPY: 100 } },
)

const statusOf = async ({ id }: Deployment) => (await world.deps.database.deployments.byId(id))!.status

/** A session in which SPY is worth this much. */
async function session(runner: ReturnType<LiveWorld['runner']>, price: string): Promise<void> {
  world.quotes.set('SPY', Decimal.parse(price))
  world.toDecision()
  await settle(world, runner, 4)
}

describe('both limits', () => {
  it.each([
    { settings: { maxDrawdownPct: 0.5 }, told: 'The drawdown is 1.00%, more than the allowed 0.5%.' },
    { settings: { maxDailyLossPct: 0.5 }, told: 'The loss of the day is 1.00%, more than the allowed 0.5%.' },
  ])('begin with what was paid in: what the entry cost is a loss ($told)', async ({ settings, told }) => {
    const deployment = await world.deployed({ settings: settingsOf(settings) })
    const runner = world.runner()
    world.quotes.set('SPY', Decimal.parse('400'))
    world.toDecision()
    await runner.tick()
    // Bought at 400, and worth 396 before anything was noted.
    world.quotes.set('SPY', Decimal.parse('396'))
    await settle(world, runner, 3)
    expect(await healthOf(world, deployment.id)).toBe(told)
    expect(await statusOf(deployment)).toBe('paused')
    const [first] = await world.deps.database.journal.snapshots(deployment.id, 10)
    expect(first!.growth).toBeCloseTo(0.99, 6)
  })

  it('take no small loss for a large one because most of the money left before anything was noted', async () => {
    world.quotes.set('SPY', Decimal.parse('400'))
    await world.stage.tradeByHand('buy', 'SPY', '10')
    const deployment = await world.deployed({
      settings: settingsOf({ maxDrawdownPct: 0.5 }),
      contributionMode: 'positions',
      positions: [{ symbol: 'SPY', quantity: Decimal.parse('10') }],
    })
    const runner = world.runner()
    // Two dollars in a thousand are lost; then a tenth is left.
    world.quotes.set('SPY', Decimal.parse('399.2'))
    await runner.tick()
    await disallocateCapital(world.deps, world.userId, deployment.id, '90', undefined)
    world.clock.advance(61_000)
    await runner.tick()
    expect(await statusOf(deployment)).toBe('running')
    world.quotes.set('SPY', Decimal.parse('370'))
    world.clock.advance(61_000)
    await runner.tick()
    expect(await statusOf(deployment)).toBe('paused')
  })
})

it('no limit is broken by money that is taken out while the account is polled', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10, maxDailyLossPct: 5 }) })
  const change = { type: 'WITHDRAWAL', amount: '4000', note: undefined } as const
  const account = world.broker.account.bind(world.broker)
  // The deployment was read by now, its books are not.
  world.broker.account = async () => {
    world.broker.account = account
    await changeCapital(world.deps, world.userId, deployment.id, change)
    return account()
  }
  const runner = world.runner()
  await runner.tick()
  expect((await world.deps.database.deployments.byId(deployment.id))!.totals.withdrawals.toNumber()).toBe(4000)
  expect(await statusOf(deployment)).toBe('running')
})

describe('the drawdown limit', () => {
  it('pauses a deployment that fell too far from its highest value, over any number of days', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10, maxDailyLossPct: 6 }) })
    const runner = world.runner()
    for (const price of ['400', '440', '420', '402']) await session(runner, price)
    expect(await statusOf(deployment)).toBe('running')
    await session(runner, '390')
    expect(await statusOf(deployment)).toBe('paused')
    const sentence = 'Paused by its loss limit. The drawdown is 11.36%, more than the allowed 10%.'
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(sentence)
    expect(await logOf(world, deployment.id)).toContain(sentence)
    expect((await mailsOf(world)).flatMap(({ event, text }) => (event === 'errors' ? text : []))).toEqual([sentence])
    await expectSound(world)
  })

  it('is not softened by money that is paid in, nor broken by money that is taken out', async () => {
    const deployment = await world.deployed({
      settings: settingsOf({ maxDrawdownPct: 10 }),
      capitalPolicyValue: Decimal.parse('10000'),
    })
    const runner = world.runner()
    await session(runner, '400')
    const change = { type: 'CONTRIBUTION', amount: '40000', note: undefined } as const
    await changeCapital(world.deps, world.userId, deployment.id, change)
    await changeCapital(world.deps, world.userId, deployment.id, { ...change, type: 'WITHDRAWAL', amount: '30000' })
    await session(runner, '396')
    expect(await statusOf(deployment)).toBe('running')
    await session(runner, '350')
    expect(await statusOf(deployment)).toBe('paused')
  })

  it('is compared again after a resume: it stays paused while it is broken', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10 }) })
    const runner = world.runner()
    await session(runner, '400')
    await session(runner, '300')
    expect(await statusOf(deployment)).toBe('paused')
    await controlDeployment(world.deps, world.userId, deployment.id, 'resume')
    world.clock.advance(61_000)
    await settle(world, runner, 2)
    expect(await statusOf(deployment)).toBe('paused')
  })
})

describe('a limit that sells', () => {
  it('stops the deployment, cancels what is open and sells all that it holds', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10, lossAction: 'sell' }) })
    const runner = world.runner()
    await session(runner, '400')
    await session(runner, '350')
    expect(await statusOf(deployment)).toBe('stopped')
    expect(await sliceOf(world, deployment.id)).toEqual(['8750'])
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'Stopped by its loss limit: open orders are cancelled, and everything it holds is sold. The drawdown is 12.50%, more than the allowed 10%.',
    )
    await expectSound(world)
  })

  it('is watched while the deployment is paused', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10, lossAction: 'sell' }) })
    const runner = world.runner()
    await session(runner, '400')
    await controlDeployment(world.deps, world.userId, deployment.id, 'pause')
    world.quotes.set('SPY', Decimal.parse('350'))
    world.clock.advance(61_000)
    await settle(world, runner, 5)
    expect(await statusOf(deployment)).toBe('stopped')
    expect(await sliceOf(world, deployment.id)).toEqual(['8750'])
    await expectSound(world)
  })

  it('sells nothing by a price that its quote contradicts, and pauses', async () => {
    const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10, lossAction: 'sell' }) })
    const runner = world.runner()
    await session(runner, '400')
    const positions = world.broker.positions.bind(world.broker)
    world.broker.positions = async () =>
      (await positions()).map((one) => Object.assign(one, { price: one.price.times(Decimal.parse('0.5')) }))
    world.clock.advance(61_000)
    await settle(world, runner, 3)
    expect(await statusOf(deployment)).toBe('paused')
    expect((await activityOf(world, deployment.id)).join('\n')).toContain(
      'Nothing is sold, because the quote of SPY contradicts its price.',
    )
    expect((await sliceOf(world, deployment.id)).join()).toContain('25 SPY')
  })
})

it('a limit that pauses is told once while the deployment is paused', async () => {
  const deployment = await world.deployed({ settings: settingsOf({ maxDrawdownPct: 10 }) })
  const runner = world.runner()
  await session(runner, '400')
  await controlDeployment(world.deps, world.userId, deployment.id, 'pause')
  world.quotes.set('SPY', Decimal.parse('350'))
  for (let minute = 0; minute < 3; minute++) {
    world.clock.advance(61_000)
    await settle(world, runner, 2)
  }
  const told = (await activityOf(world, deployment.id)).filter((one) => one.startsWith('Broken while it is paused:'))
  expect(told).toHaveLength(1)
})
