import { HOUR, MINUTE } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { INVESTED, invested, mailsOf, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { answerHeldOrder } from '../answer-held-order.ts'
import { deploymentOverview } from '../views.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })

const alpaca = () => (world.stage as AlpacaStage).standIn.account
const health = async (id: number) => (await deploymentOverview(world.deps, world.userId, id)).health
const heldOf = async (id: number) => (await world.deps.database.deployments.byId(id))?.heldOrders ?? []
const purchasesOf = async (ticker: string) =>
  (await world.stage.ordersTaken()).filter((order) => order.ticker === ticker && order.side === 'buy').length

async function minutes(runner: ReturnType<LiveWorld['runner']>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    world.clock.advance(MINUTE)
    await settle(world, runner, 2)
  }
}

describe('an order that the broker rejects after taking it', () => {
  it('is sent again within the time before the close, after growing pauses', async () => {
    const { id } = await world.deployed()
    const runner = world.runner()
    world.stage.placeFaults.push('rejected')
    world.toDecision()
    await settle(world, runner, 4)
    expect(await outcomeOf(world, id)).toBe('incomplete')
    expect((await activityOf(world, id)).join('\n')).toMatch(
      /The broker did not take the order to buy \w+: asset halted\. It is tried again after 2026-03-03 20:31 UTC\./,
    )
    expect(await health(id)).toMatchObject({ light: 'yellow' })
    // The second try is rejected as well: the third waits for twice as long.
    world.stage.placeFaults.push('rejected')
    await minutes(runner, 2)
    expect(await heldOf(id)).toEqual([expect.objectContaining({ why: 'refused', tries: 2 })])
    await minutes(runner, 3)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    expect(await heldOf(id)).toEqual([])
    expect(await health(id)).toMatchObject({ light: 'green' })
    await expectSound(world)
  })

  it('is not sent with every check of a deployment that checks every minute', async () => {
    const { id } = await world.deployed({
      settings: settingsOf({ frequencyType: 'continuous', checkFrequencyMinutes: 1 }),
    })
    const runner = world.runner()
    world.clock.advance(2 * HOUR)
    for (let i = 0; i < 12; i++) {
      alpaca().rejectNext = 'asset halted'
      await minutes(runner, 1)
    }
    const tickers = ['SPY', 'TLT']
    const sent = await Promise.all(tickers.map(purchasesOf))
    expect(Math.max(...sent)).toBeLessThanOrEqual(5)
    expect((await heldOf(id)).length).toBeGreaterThan(0)
  })
})

describe('an order that the broker refuses', () => {
  it('for the day is sent again in the next session', async () => {
    const { id } = await world.deployed()
    const runner = world.runner()
    alpaca().refuseNext = {
      status: 403,
      body: { code: 40310000, message: 'trade denied due to pattern day trading protection' },
    }
    world.toDecision()
    await settle(world, runner, 4)
    await minutes(runner, 20)
    expect((await sliceOf(world, id)).length).toBe(2)
    expect((await activityOf(world, id)).join('\n')).toContain(
      'pattern day trading protection. It is tried again after 2026-03-04',
    )
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    await expectSound(world)
  })

  it('for a reason of its user is asked about, with a mail', async () => {
    const { id } = await world.deployed()
    const runner = world.runner()
    alpaca().refuseNext = { status: 403, body: { code: 40310000, message: 'account is restricted to liquidation' } }
    world.toDecision()
    await settle(world, runner, 4)
    world.toDecision()
    await settle(world, runner, 4)
    expect((await sliceOf(world, id)).length).toBe(2)
    expect((await mailsOf(world)).filter(({ text }) => text.includes('until you choose'))).toHaveLength(1)
    const [held] = await heldOf(id)
    await answerHeldOrder(world.deps, world.userId, id, held!, 'send')
    await minutes(runner, 2)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    await expectSound(world)
  })
})

describe('an order that a person cancels at the broker', () => {
  async function cancelled(): Promise<{ id: number; runner: ReturnType<LiveWorld['runner']> }> {
    const { deployment, runner } = await invested(world)
    world.stage.holdsFills = true
    world.signalService.percentages = { SPY: 60, TLT: 40, GLD: 0 }
    await world.deps.database.deployments.change(deployment.id, { lastTrade: null })
    world.quotes.set(
      'SPY',
      world.quotes.get('SPY')!.times(world.quotes.get('SPY')!.dividedBy(world.quotes.get('TLT')!)),
    )
    world.toDecision()
    await settle(world, runner, 2)
    await world.stage.cancelByHand('SPY')
    world.stage.holdsFills = false
    await settle(world, runner, 3)
    return { id: deployment.id, runner }
  }

  it('is held and asked about, and not sent again', async () => {
    const { id, runner } = await cancelled()
    const sent = (await world.stage.ordersTaken()).length
    expect(await health(id)).toMatchObject({
      light: 'yellow',
      reasons: expect.arrayContaining([
        'The order to sell SPY was cancelled at the broker, and not by this program. It is not sent again until you choose: send it again, or leave it.',
      ]) as unknown,
    })
    await minutes(runner, 20)
    world.toDecision()
    await settle(world, runner, 3)
    const sales = (await world.stage.ordersTaken()).slice(0, -sent).filter(({ side }) => side === 'sell')
    expect(sales).toEqual([])
  })

  it('is sent again when its user says so', async () => {
    const { id, runner } = await cancelled()
    await minutes(runner, 2)
    await answerHeldOrder(world.deps, world.userId, id, { ticker: 'SPY', side: 'sell' }, 'send')
    await settle(world, runner, 5)
    const [newest] = await world.stage.ordersTaken()
    expect(newest).toMatchObject({ ticker: 'TLT', side: 'buy', state: 'filled' })
    expect(await heldOf(id)).toEqual([])
    await expectSound(world)
  })

  it('and left, is left until the signal changes or a rebalance is due', async () => {
    const { id, runner } = await cancelled()
    await answerHeldOrder(world.deps, world.userId, id, { ticker: 'SPY', side: 'sell' }, 'leave')
    const sent = (await world.stage.ordersTaken()).length
    await minutes(runner, 20)
    expect((await world.stage.ordersTaken()).length).toBe(sent)
    await expect(
      answerHeldOrder(world.deps, world.userId, id, { ticker: 'SPY', side: 'sell' }, 'send'),
    ).rejects.toThrow('There is nothing to choose')
    // The daily rebalance of the next session.
    world.toDecision()
    await settle(world, runner, 5)
    expect(await heldOf(id)).toEqual([])
    expect(
      (await world.stage.ordersTaken()).some(
        ({ ticker, side, state }) => ticker === 'SPY' && side === 'sell' && state === 'filled',
      ),
    ).toBe(true)
    await expectSound(world)
  })
})
