import { Decimal } from '@tradewright/core/decimal'
import { DAY, MINUTE } from '@tradewright/core/time'
import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, expireLeases, INVESTED, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { keepRows } from '../../../test-support/live/lost-journal.ts'
import { acceptBroker } from '../capital/accept-broker.ts'
import { changeCapital } from '../capital/change-capital.ts'
import { compareRestored } from '../compare-restored.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })

const NEVER = settingsOf({ rebalanceFrequency: 'none' })
const alpaca = () => (world.stage as AlpacaStage).standIn.account
const ordersSent = async () => (await world.stage.ordersTaken()).length
const light = async (id: number) => (await deploymentOverview(world.deps, world.userId, id)).health.light

/** What a person sees of a deployment and its account. */
async function seen(id: number) {
  const { totals, lastTrade } = await deploymentOf(world, id)
  const books = await world.deps.database.books.books(world.accountId)
  const rest = books.get('unallocated')
  return {
    slice: await sliceOf(world, id),
    rest: [String(rest?.cash.rounded(2)), ...(rest?.positions.keys() ?? [])],
    net: String(totals.net),
    day: lastTrade?.day,
    isComplete: lastTrade?.isComplete,
    outcome: await outcomeOf(world, id),
    light: await light(id),
  }
}

/** Another process begins with the rows of the backup. */
async function restored(back: () => Promise<void>, runner: LiveRunner): Promise<LiveRunner> {
  await runner.close()
  await back()
  await expireLeases(world)
  return world.runner()
}

describe('an instance that lost the end of its journal', () => {
  it('knows the first purchases that the broker made for it, and buys nothing again', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const before = await seen(id)
    expect(before).toMatchObject({ slice: INVESTED, light: 'green' })
    world.clock.advance(20 * MINUTE)
    const next = await restored(back, runner)
    await settle(world, next, 4)
    world.toDecision()
    await settle(world, next, 4)
    expect(await seen(id)).toEqual({ ...before, outcome: 'held' })
    expect(await ordersSent()).toBe(2)
    expect(await activityOf(world, id)).toContainEqual(
      expect.stringMatching(
        /an order that the journal had lost; it is taken over: buy SPY of 2026-03-03 20:30 UTC, filled, 15 at \$400\.00/,
      ),
    )
    await expectSound(world)
  })

  it('decides the same run a second time and finds it done', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const before = await seen(id)
    const next = await restored(back, runner)
    await settle(world, next, 4)
    expect(await seen(id)).toEqual(before)
    expect(await ordersSent()).toBe(2)
    await expectSound(world)
  })

  it('books to the deployment what the broker lists late, when it decided the same run before that', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const before = await seen(id)
    world.stage.hidesFills = true
    const next = await restored(back, runner)
    await settle(world, next, 3)
    world.stage.hidesFills = false
    world.clock.advance(MINUTE)
    await settle(world, next, 4)
    expect(await seen(id)).toEqual(before)
    expect(await ordersSent()).toBe(2)
    await expectSound(world)
  })

  it('between a sale and its purchases takes both over', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    let runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    await runner.close()
    let back: (() => Promise<void>) | undefined
    world.signalService.percentages = { GLD: 60, TLT: 40 }
    await world.deps.database.deployments.change(id, {
      lastTrade: { ...(await deploymentOf(world, id)).lastTrade!, isComplete: false },
    })
    runner = world.runner()
    world.toDecision()
    await runner.tick()
    back = await keepRows(world.database)
    expect(await outcomeOf(world, id)).toBe('selling')
    await settle(world, runner, 5)
    const before = await seen(id)
    expect(before).toMatchObject({ outcome: 'done', light: 'green' })
    expect(before.slice.join()).toContain('GLD')
    const sent = await ordersSent()
    const next = await restored(back, runner)
    await settle(world, next, 5)
    expect(await seen(id)).toEqual(before)
    expect(await ordersSent()).toBe(sent)
    await expectSound(world)
  })

  it('in the middle of a partial fill follows the order to its end', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.stage.holdsFills = true
    world.toDecision()
    await settle(world, runner, 2)
    world.stage.fillPart('SPY', 0.5)
    await settle(world, runner, 2)
    const next = await restored(back, runner)
    await settle(world, next, 2)
    expect((await sliceOf(world, id)).join()).toBe('7000,7.5 SPY')
    world.stage.trade()
    world.stage.holdsFills = false
    await settle(world, next, 4)
    expect(await seen(id)).toMatchObject({ slice: INVESTED, outcome: 'done', isComplete: true, light: 'green' })
    expect(await ordersSent()).toBe(2)
    await expectSound(world)
  })

  it.each(['before', 'after'] as const)(
    'has the contribution that was paid in %s the backup, and invests it once',
    async (when) => {
      const { id } = await world.deployed({ settings: NEVER })
      const runner = world.runner()
      world.toDecision()
      await settle(world, runner, 4)
      const contribute = () =>
        changeCapital(world.deps, world.userId, id, { type: 'CONTRIBUTION', amount: '1000', note: undefined })
      if (when === 'before') await contribute()
      const back = await keepRows(world.database)
      if (when === 'after') await contribute()
      world.toDecision()
      await settle(world, runner, 4)
      const before = await seen(id)
      expect(before).toMatchObject({ slice: ['0', '16.5 SPY', '48.888888888 TLT'], net: '11000', light: 'green' })
      const next = await restored(back, runner)
      world.clock.advance(20 * MINUTE)
      await settle(world, next, 4)
      world.toDecision()
      await settle(world, next, 4)
      expect(await seen(id)).toEqual({ ...before, outcome: 'held' })
      expect(await ordersSent()).toBe(4)
      await expectSound(world)
    },
  )

  it('days later has the dividends, too', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    world.clock.advance(6 * DAY)
    alpaca().book('DIV', '30', undefined, { symbol: 'SPY', per_share_amount: '2', qty: '15' })
    await settle(world, runner, 4)
    const before = await seen(id)
    expect(before.slice).toEqual(['30', '15 SPY', '44.444444444 TLT'])
    world.clock.advance(8 * DAY)
    const next = await restored(back, runner)
    await settle(world, next, 4)
    expect(await seen(id)).toEqual({ ...before, outcome: expect.stringMatching(/^(done|held)$/) as unknown })
    expect(await ordersSent()).toBe(2)
    await expectSound(world)
  })

  it('lacks the purchases of a decision that had only sold, and makes them at the next run', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const back = await keepRows(world.database)
    world.signalService.percentages = { GLD: 60, TLT: 40 }
    await world.deps.database.deployments.change(id, {
      lastTrade: { ...(await deploymentOf(world, id)).lastTrade!, isComplete: false },
    })
    world.toDecision()
    await runner.tick()
    const next = await restored(back, runner)
    world.clock.advance(20 * MINUTE)
    await settle(world, next, 2)
    expect(await sliceOf(world, id)).toEqual(['6000', '44.444444444 TLT'])
    expect(await deploymentOf(world, id)).toMatchObject({ lastTrade: { isComplete: false } })
    world.toDecision()
    await settle(world, next, 5)
    expect((await sliceOf(world, id)).join()).toContain('GLD')
    await expectSound(world)
  })
})

describe('a restored instance before it may trade', () => {
  it('is compared with the broker over a month, and each deployment says what was found', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    const before = await seen(id)
    await runner.close()
    world.clock.advance(20 * DAY)
    await back()
    const { adopted, obstacle } = await compareRestored(world.deps, world, false)
    expect(obstacle).toBeUndefined()
    expect(adopted).toEqual([
      expect.stringMatching(/it is taken over: buy (SPY|TLT) of 2026-03-03 20:30 UTC, filled/),
      expect.stringMatching(/it is taken over: buy (SPY|TLT) of 2026-03-03 20:30 UTC, filled/),
    ])
    expect(await activityOf(world, id)).toContain('Compared with the broker after the restore: 2 orders taken over.')
    expect((await seen(id)).slice).toEqual(before.slice)
    expect(await compareRestored(world.deps, world, false)).toEqual({ adopted: [], obstacle: undefined })
    expect(await ordersSent()).toBe(2)
    await expectSound(world)
  })

  it('stays held while an order is of no deployment that it has, until such orders count as made by hand', async () => {
    const { id } = await world.deployed({ settings: NEVER })
    const back = await keepRows(world.database)
    await world.deployed({ name: 'Made after the backup', settings: NEVER })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    await runner.close()
    await back()
    const refused = await compareRestored(world.deps, world, false)
    expect(refused.obstacle).toMatch(/^Another Tradewright installation trades in this account: the order to buy /)
    expect(refused.adopted).toHaveLength(2)
    expect((await deploymentOverview(world.deps, world.userId, id)).health).toMatchObject({ light: 'red' })
    expect(await compareRestored(world.deps, world, true)).toEqual({ adopted: [], obstacle: undefined })
    expect(await sliceOf(world, id)).toEqual(INVESTED)
  })

  it('stays held while its broker cannot be asked', async () => {
    await world.deployed()
    world.stage.isAway = true
    expect((await compareRestored(world.deps, world, false)).obstacle).toMatch(
      /^It could not be compared with its broker: /,
    )
  })
})

describe('two installations in one account', () => {
  /** An order of another one, as it looks from here. */
  const elsewhere = (name: string) => {
    world.stage.trade()
    alpaca().fillsAtOnce = true
    alpaca().add({
      clientOrderId: clientOrderId(name, world.clock.now().getTime(), 'GLD', 'buy'),
      symbol: 'GLD',
      side: 'buy',
      qty: Decimal.parse('2'),
      notional: undefined,
      type: 'market',
      timeInForce: 'day',
      limitPrice: undefined,
    })
  }
  const SENTENCE =
    /Another Tradewright installation trades in this account: the order to buy GLD of .* is of no deployment here\./

  it('notice each other and stop, until one of them takes the figures', async () => {
    const { id } = await world.deployed({ settings: settingsOf({ rebalanceFrequency: 'daily' }) })
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    elsewhere('0123456789ab')
    world.clock.advance(2 * MINUTE)
    await settle(world, runner, 2)
    expect((await deploymentOf(world, id)).healthProblem?.sentence).toMatch(SENTENCE)
    world.signalService.percentages = { GLD: 100 }
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect(await light(id)).toBe('red')
    await acceptBroker(world.deps, world.userId, id)
    world.clock.advance(MINUTE)
    await settle(world, runner, 2)
    world.toDecision()
    await settle(world, runner, 5)
    expect((await sliceOf(world, id)).join()).toContain('GLD')
    expect(await light(id)).toBe('green')
    elsewhere('0123456789ab')
    world.clock.advance(2 * MINUTE)
    await settle(world, runner, 2)
    expect(await light(id)).toBe('red')
    await expectSoundBeside()
  })

  it('is seen by the one that comes second before its first order', async () => {
    world.toDecision()
    elsewhere('0123456789ab')
    world.clock.advance(3 * DAY)
    const { id } = await world.deployed()
    const runner = world.runner()
    world.toDecision()
    await settle(world, runner, 4)
    expect((await deploymentOf(world, id)).healthProblem?.sentence).toMatch(SENTENCE)
    expect(await sliceOf(world, id)).toEqual(['10000'])
    await acceptBroker(world.deps, world.userId, id)
    world.clock.advance(MINUTE)
    await settle(world, runner, 2)
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
  })

  /** Orders of the other one are in no journal of this one. */
  const expectSoundBeside = async () => {
    const taken = await world.stage.ordersTaken()
    expect(new Set(taken.map(({ clientOrderId: sent }) => sent)).size).toBe(taken.length)
  }
})
