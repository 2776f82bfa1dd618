import { Decimal } from '@tradewright/core/decimal'
import { Random } from '@tradewright/core/random'
import { MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { eachInAWorld } from '../../../test-support/live/each-in-a-world.ts'
import { deploymentOf, expireLeases, sliceOf } from '../../../test-support/live/live-story.ts'
import { expectSound, type LiveWorld, settingsOf, settle } from '../../../test-support/live/live-world.ts'
import { keepRows } from '../../../test-support/live/lost-journal.ts'
import { changeCapital } from '../capital/change-capital.ts'
import { deploymentOverview } from '../views.ts'

let world: LiveWorld
eachInAWorld((opened) => void (world = opened), { stage: alpacaStage })

const SESSIONS = 6
const TICKERS = ['SPY', 'TLT', 'GLD']

/**
 * Two deployments through sessions of moving prices, weights, contributions, dividends and fills in parts. At one random
 * beat the rows are kept, and after the last session, with everything at rest, they come back.
 */
it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  'history %i goes on after its end was lost as if nothing had happened',
  async (seed) => {
    const random = new Random(20261119 + seed)
    const ids: number[] = []
    // At different minutes: what deployments trade with each other leaves no trace at the broker.
    for (const [name, minutesBeforeClose] of [
      ['One', 30],
      ['Two', 20],
    ] as const) {
      const settings = settingsOf({ rebalanceFrequency: 'daily', minutesBeforeClose })
      const capitalPolicyValue = Decimal.fromNumber(4_000 + random.below(8) * 500)
      ids.push((await world.deployed({ name, settings, capitalPolicyValue })).id)
    }
    const lostAt = 1 + random.below(SESSIONS - 1)
    const lostBeat = random.below(12)
    let back: (() => Promise<void>) | undefined
    const runner = world.runner()
    for (let session = 0; session < SESSIONS; session++) {
      for (const [ticker, price] of world.quotes) {
        world.quotes.set(ticker, price.times(Decimal.fromNumber(0.97 + random.below(61) / 1000)).rounded(2))
      }
      world.signalService.percentages = weights(random)
      if (random.below(4) === 0 && session > 0) await dividend(random)
      // What is paid in is spent by the next decision: until then the broker does not know of it.
      if (random.below(3) === 0) await contribute(ids[random.below(2)]!, random)
      world.toDecision()
      const first = world.clock.now().getTime()
      for (let beat = 0; beat < 12; beat++) {
        if (beat % 6 === 0) world.stage.holdsFills = random.below(3) === 0
        if (beat === 6) {
          await settle(world, runner, 4)
          world.clock.advance(first + 10 * MINUTE - world.clock.now().getTime())
        }
        if (session === lostAt && beat === lostBeat) back = await keepRows(world.database)
        await runner.tick()
        world.clock.advance(2_000)
        if (world.stage.holdsFills && beat % 6 === 2) {
          for (const ticker of TICKERS) world.stage.fillPart(ticker, 0.5)
        }
        if (beat % 6 === 3) {
          world.stage.holdsFills = false
          world.stage.trade()
        }
      }
      await settle(world, runner, 6)
    }
    const before = await Promise.all(ids.map(seen))
    const sent = (await world.stage.ordersTaken()).length
    await runner.close()
    world.clock.advance(20 * MINUTE)
    await back!()
    await expireLeases(world)
    const next = world.runner()
    await settle(world, next, 6)
    expect(await Promise.all(ids.map(seen))).toEqual(before)
    expect((await world.stage.ordersTaken()).length).toBe(sent)
    await expectSound(world)
    expect(world.stage.violations).toEqual([])
  },
)

function weights(random: Random): Record<string, number> {
  const first = 10 + random.below(50)
  const second = 10 + random.below(90 - first)
  return { SPY: first, TLT: second, GLD: 100 - first - second }
}

async function dividend(random: Random): Promise<void> {
  const { account } = (world.stage as AlpacaStage).standIn
  const ticker = TICKERS[random.below(TICKERS.length)]!
  const held = account.positions.get(ticker)
  if (!held) return
  const amount = held.qty.times(Decimal.parse('0.5')).rounded(2)
  account.book('DIV', String(amount), undefined, { symbol: ticker, per_share_amount: '0.5', qty: String(held.qty) })
}

async function contribute(id: number, random: Random): Promise<void> {
  const amount = String(100 * (1 + random.below(5)))
  await changeCapital(world.deps, world.userId, id, { type: 'CONTRIBUTION', amount, note: undefined })
}

async function seen(id: number) {
  const { totals } = await deploymentOf(world, id)
  const [cash, ...positions] = await sliceOf(world, id)
  return {
    positions,
    // Contributions that the journal lost are known by what was spent: all but the cents that no order could spend.
    cash: Math.abs(Math.round(Number(cash))),
    net: String(totals.net.rounded(0)),
    light: (await deploymentOverview(world.deps, world.userId, id)).health.light,
  }
}
