import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AlpacaStage, alpacaStage } from './alpaca-stage.ts'
import { type Death, dieAfter } from './deaths.ts'
import { INVESTED, invested, sliceOf } from './live-story.ts'
import { activityOf, expectSound, type LiveWorld, liveWorld, settle } from './live-world.ts'
import type { AlpacaAccountState } from '../stand-ins/alpaca/account-state.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { acceptBroker } from '../../src/live-trading/capital/accept-broker.ts'
import { controlDeployment } from '../../src/live-trading/control.ts'
import { deploymentOverview } from '../../src/live-trading/views.ts'
import type { OrderStep } from '../../src/live-trading/cycle/order-steps.ts'

/** What comes of bookings, acceptances and replaced orders after a death at each of their steps. */
export function deathBookings(death: Death): void {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  const decimal = (text: string) => Decimal.parse(text)
  const accountOf = (world: LiveWorld): AlpacaAccountState => (world.stage as AlpacaStage).standIn.account

  interface Booking {
    readonly what: string
    /** Before the process that dies is started; it may let another one poll first. */
    readonly happens: (scene: Scene) => Promise<void> | void
    readonly slice: readonly string[]
    /** Told in the activity once. */
    readonly told: string
  }

  interface Scene {
    readonly world: LiveWorld
    readonly id: number
    readonly poll: () => Promise<void>
  }

  async function dividend({ world, poll }: Scene): Promise<string> {
    accountOf(world).book('DIV', '10', '2026-03-03', { symbol: 'SPY', qty: '15', description: 'Dividend of SPY' })
    await poll()
    return accountOf(world).activities.findLast(({ activity_type }) => activity_type === 'DIV')!.id
  }

  const bookings: readonly Booking[] = [
    {
      what: 'a split',
      happens: ({ world }) => {
        world.quotes.set('SPY', decimal('100'))
        accountOf(world).act([
          { type: 'SPLIT', symbol: 'SPY', qty: '-15' },
          { type: 'SPLIT', symbol: 'SPY', qty: '60' },
        ])
      },
      slice: ['0', '44.444444444 TLT', '60 SPY'],
      told: 'Split of SPY: 15 shares became 60.',
    },
    {
      what: 'a merger, after which the user has to choose',
      happens: ({ world }) => {
        world.quotes.set('AAPL', decimal('250'))
        accountOf(world).act([
          { type: 'MA', symbol: 'SPY', qty: '-15' },
          { type: 'MA', symbol: 'AAPL', qty: '7.5' },
          { type: 'MA', symbol: 'SPY', amount: '150' },
        ])
      },
      slice: ['150', '44.444444444 TLT', '7.5 AAPL'],
      told: 'Merger: 15 SPY became 7.5 AAPL and $150.00.',
    },
    {
      what: 'the correction of a dividend',
      async happens(scene) {
        const id = await dividend(scene)
        accountOf(scene.world).change(id, { net_amount: '9', status: 'correct' })
        accountOf(scene.world).cash = accountOf(scene.world).cash.minus(decimal('1'))
      },
      slice: ['9', ...INVESTED.slice(1)],
      told: 'The broker corrected Dividend of SPY: $9.00 instead of $10.00.',
    },
    {
      what: 'an execution that is taken back',
      happens: ({ world }) => {
        const account = accountOf(world)
        const { id } = account.activities.findLast((one) => one.activity_type === 'FILL' && one['symbol'] === 'SPY')!
        account.change(id, { status: 'canceled' })
        account.orders.find(({ symbol }) => symbol === 'SPY')!.filledQty = Decimal.zero
        account.move('SPY', '-15')
        account.cash = account.cash.plus(decimal('6000'))
      },
      slice: ['6000', '44.444444444 TLT'],
      told: 'The broker took back an execution, 15 SPY bought at $400.00',
    },
    {
      what: 'a dividend of a deployment that is stopped',
      async happens({ world, id }) {
        await controlDeployment(world.deps, world.userId, id, 'stop')
        accountOf(world).book('DIV', '10', '2026-03-03', { symbol: 'SPY', qty: '15' })
        world.clock.advance(16 * MINUTE)
      },
      slice: ['10', ...INVESTED.slice(1)],
      told: 'Stopped: open orders are cancelled, positions are kept.',
    },
    {
      what: 'a difference of a deployment that is stopped',
      async happens({ world, id }) {
        await controlDeployment(world.deps, world.userId, id, 'stop')
        accountOf(world).move('SPY', '-1')
        world.clock.advance(16 * MINUTE)
      },
      slice: INVESTED,
      told: 'The broker holds 14 SPY, but the books say 15.',
    },
  ]

  const STEPS = ['broker-read', 'fills-written', 'fills-committed'] as const satisfies readonly OrderStep[]
  /** LIVE_CAMPAIGN takes every step; the usual tests the one right before it is kept. */
  const steps = process.env['LIVE_CAMPAIGN'] === undefined ? (['fills-written'] as const) : STEPS

  const deaths = bookings.flatMap((booking) => steps.map((step) => ({ ...booking, step })))

  describe('a process that dies while it books what happened at the broker', () => {
    it.each(deaths)('$what: right after $step it is booked and told once', async ({ happens, slice, told, step }) => {
      const world = await liveWorld({ database, stage: alpacaStage })
      const { deployment, runner } = await invested(world)
      const { id } = deployment
      const pollWith = async (one = runner) => {
        world.clock.advance(61_000)
        await settle(world, one, 2)
      }
      await happens({ world, id, poll: pollWith })
      await runner.close()
      await dieAfter(death, world, { step, times: 1 })
      // The next comparison of what does not trade, too.
      world.clock.advance(16 * MINUTE)
      const next = world.runner()
      await settle(world, next, 2)
      await pollWith(next)
      expect(await sliceOf(world, id)).toEqual(slice)
      // The question that follows a merger repeats it.
      const isOwn = (line: string) => line.includes(told) && !line.includes('choose whether')
      expect((await activityOf(world, id)).filter(isOwn)).toHaveLength(1)
      const isDifference = slice === INVESTED
      const { light, booksAgree } = (await deploymentOverview(world.deps, world.userId, id)).health
      expect([light === 'red' && booksAgree === false, booksAgree]).toEqual([isDifference, !isDifference])
      if (!told.includes('took back an execution')) await expectSound(world)
      expect(world.stage.violations).toEqual([])
      await next.close()
      await world.close()
    })
  })

  /** The broker is read before the figures are taken, and compared after that. */
  const acceptances = [1, 2].flatMap((times) => steps.map((step) => ({ step, times })))

  describe('a process that dies while the broker’s figures are accepted', () => {
    it.each(acceptances)('right after $step ($times) corrects them once', async ({ step, times }) => {
      const world = await liveWorld({ database, stage: alpacaStage })
      const { deployment, runner } = await invested(world)
      const { id } = deployment
      accountOf(world).move('SPY', '1')
      world.clock.advance(61_000)
      await settle(world, runner, 2)
      await runner.close()
      await dieAfter(death, world, { step, times, accepts: id })
      await acceptBroker(world.deps, world.userId, id)
      const next = world.runner()
      world.clock.advance(61_000)
      await settle(world, next, 2)
      expect(await sliceOf(world, id)).toEqual(['0', '16 SPY', '44.444444444 TLT'])
      const { entries } = await world.deps.database.books.page(id, 1, 50, { types: ['CORRECTION'], search: undefined })
      expect(entries.map(({ direction, amount }) => `${direction} ${String(amount)}`)).toEqual(['in 400'])
      expect((await deploymentOverview(world.deps, world.userId, id)).health).toMatchObject({
        light: 'green',
        booksAgree: true,
      })
      await expectSound(world)
      await next.close()
      await world.close()
    })
  })

  describe('a process that dies while an order is changed at the broker', () => {
    it.each(steps)('right after %s follows it to the order that took its place', async (step) => {
      const world = await liveWorld({ database, stage: alpacaStage })
      const stage = world.stage as AlpacaStage
      stage.holdsFills = true
      const { id } = await world.deployed()
      const runner = world.runner()
      world.toDecision()
      await settle(world, runner, 2)
      await runner.close()
      stage.fillPart('SPY', 0.4)
      const order = stage.standIn.account.orders.find(({ symbol }) => symbol === 'SPY')!
      stage.standIn.account.replace(order, '9')
      await dieAfter(death, world, { step, times: 1 })
      stage.trade()
      const next = world.runner()
      world.clock.advance(5_000)
      await settle(world, next, 5)
      expect(await sliceOf(world, id)).toEqual(INVESTED)
      expect((await world.deps.database.decisions.latest(id))?.outcome).toBe('done')
      expect((await activityOf(world, id)).join('\n')).not.toContain('outside of the deployments')
      await next.close()
      await world.close()
    })
  })
}
