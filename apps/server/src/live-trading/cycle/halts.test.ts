import { MINUTE } from '@tradewright/core/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { INVESTED, invested, outcomeOf, sliceOf } from '../../../test-support/live/live-story.ts'
import { activityOf, expectSound, type LiveWorld, settle } from '../../../test-support/live/live-world.ts'
import { deploymentOverview } from '../views.ts'
import type { LiveRunner } from './runner.ts'

let world: LiveWorld
let runner: LiveRunner
let id: number
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })
beforeEach(async () => {
  const story = await invested(world)
  runner = story.runner
  id = story.deployment.id
})

const alpaca = () => (world.stage as AlpacaStage).standIn
const halt = (ticker: string) => void alpaca().account.halted.add(ticker)
const resume = (ticker: string) => void alpaca().account.halted.delete(ticker)
const health = async () => (await deploymentOverview(world.deps, world.userId, id)).health
const sent = async (ticker: string) =>
  (await world.stage.ordersTaken()).filter((order) => order.ticker === ticker).length

/** Polls as they come, minute by minute. */
async function minutes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    world.clock.advance(MINUTE)
    await settle(world, runner, 3)
  }
}

async function decide(percentages: Record<string, number>): Promise<void> {
  world.signalService.percentages = percentages
  world.toDecision()
  await settle(world, runner, 4)
}

describe('a ticker that is halted', () => {
  it('keeps its part, and what the other sales brought is invested within minutes', async () => {
    halt('TLT')
    await decide({ GLD: 100 })
    expect(await sliceOf(world, id)).toEqual(['6000', '44.444444444 TLT'])
    await minutes(3)
    expect(await sliceOf(world, id)).toEqual(['0', '33.24099723 GLD', '44.444444444 TLT'])
    expect((await activityOf(world, id)).join('\n')).toMatch(
      /TLT does not trade: the order to sell it has rested at the broker for 90 seconds without a fill, as in a trading halt\. Its part is left as it is/,
    )
    expect(await health()).toMatchObject({
      light: 'yellow',
      reasons: expect.arrayContaining([
        expect.stringMatching(/^TLT has not traded at the broker since 2026-03-0\d/),
      ]) as unknown,
    })
    await expectSound(world)
  })

  it('is cancelled when the time of the decision is over, and sold when it trades again', async () => {
    halt('TLT')
    await decide({ GLD: 100 })
    await minutes(18)
    expect(
      (await world.stage.ordersTaken()).find(({ ticker, side }) => ticker === 'TLT' && side === 'sell')?.state,
    ).toBe('canceled')
    expect(await outcomeOf(world, id)).toBe('incomplete')
    resume('TLT')
    await decide({ GLD: 100 })
    await minutes(1)
    expect((await sliceOf(world, id)).join()).not.toContain('TLT')
    expect((await activityOf(world, id)).join('\n')).toContain('TLT trades again.')
    expect(await health()).toMatchObject({ light: 'green' })
    await expectSound(world)
  })

  it('is not ordered again while it has no fresh quotes, and the rest is traded', async () => {
    halt('TLT')
    await decide({ GLD: 100 })
    await minutes(18)
    const orders = await sent('TLT')
    world.stage.quoteAge = 20 * MINUTE
    await decide({ SPY: 100 })
    await minutes(2)
    expect(await sent('TLT')).toBe(orders)
    expect((await sliceOf(world, id)).join()).toMatch(/^\d+(\.\d+)?,\d+(\.\d+)? SPY,44\.444444444 TLT$/)
    expect((await activityOf(world, id)).join('\n')).toContain('TLT cannot be traded now and is left as it is.')
    await expectSound(world)
  })

  it('that is to be bought leaves its part in cash', async () => {
    halt('GLD')
    await decide({ SPY: 30, GLD: 30, TLT: 40 })
    await minutes(2)
    expect(await sliceOf(world, id)).toEqual(['3000', '44.444444444 TLT', '7.5 SPY'])
    resume('GLD')
    world.stage.trade()
    await minutes(2)
    expect((await sliceOf(world, id)).join()).toContain('GLD')
    expect(await health()).toMatchObject({ light: 'green' })
    await expectSound(world)
  })

  it('and nothing else was sold: the sale waits until the time of the decision is over', async () => {
    halt('TLT')
    await decide({ SPY: 100 })
    await minutes(3)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    resume('TLT')
    world.stage.trade()
    await minutes(2)
    expect(await sliceOf(world, id)).toEqual(['0', '25 SPY'])
    expect(await outcomeOf(world, id)).toBe('done')
    await expectSound(world)
  })
})

it('a ticker that the broker does not trade keeps its part, and the rest is bought', async () => {
  world.stage.halted.add('TLT')
  await decide({ GLD: 100 })
  await minutes(1)
  expect(await sliceOf(world, id)).toEqual(['0', '33.24099723 GLD', '44.444444444 TLT'])
  await expectSound(world)
})

it('an order that is partly filled is no halt', async () => {
  alpaca().account.partialFill = 0.5
  await decide({ GLD: 100 })
  await minutes(3)
  expect((await activityOf(world, id)).join('\n')).not.toContain('does not trade')
})
