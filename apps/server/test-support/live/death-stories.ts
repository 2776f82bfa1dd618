import { Decimal } from '@tradewright/core/decimal'
import { isAuction, type OrderExecution, type OrderTypeId } from '@tradewright/core/order-types'
import { dateOf, dayStamp, epochDayOf, MINUTE, SECOND } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { signalNow } from '@tradewright/engine/live/signal-now'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { openingWindow } from '@tradewright/engine/trading/auctions'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { binanceStage } from './binance-stage.ts'
import { type Death, dieAfter } from './deaths.ts'
import { sliceOf } from './live-story.ts'
import { expectSound, type LiveWorld, liveWorld, settingsOf, settle } from './live-world.ts'
import { deployedSignals, externalDeps } from './external-story.ts'
import { deployedRules, goTo, rulesData, rulesDeps, rulesRequest } from './rules-story.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { createLeaseStore } from '../../src/stores/live-trading/leases.ts'
import { controlDeployment } from '../../src/live-trading/control.ts'
import { ORDER_STEPS, type OrderStep, TIME_OUT_STEPS } from '../../src/live-trading/cycle/order-steps.ts'
import { LiveRunner } from '../../src/live-trading/cycle/runner.ts'

/**
 * What comes of live trading after a death at each step of an order. An account at an exchange is a matter of its adapter:
 * `atExchange` adds the deaths around the order itself.
 */
export function deathStories(death: Death, { atExchange: isAtExchange }: { atExchange: boolean }): void {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  /** It holds the lease until it dies, so there is time to poll; polling all the time would only slow it down. */
  const PATIENTLY = { timeout: 60_000, interval: 20 }

  /** Polls as soon as the other one holds the lease, until that has died. */
  async function pollUntil(death: Promise<void>, runner: LiveRunner, deploymentId: number): Promise<void> {
    const living = { isOver: false }
    const over = () => (living.isOver = true)
    void death.then(over, over)
    const leases = createLeaseStore(database.database)
    await vi.waitUntil(async () => living.isOver || (await leases.attendance(deploymentId)) === 'attended', PATIENTLY)
    while (!living.isOver) await runner.tick()
    return death
  }

  /** Between two orders, too: the first is on its way, the second is not. */
  const deaths = [...ORDER_STEPS.map((step) => ({ step, times: 1 })), { step: 'order-placed' as const, times: 2 }]
  /** LIVE_CAMPAIGN takes every step; the usual tests the one at which the broker knows more than we do. */
  const crucial = process.env['LIVE_CAMPAIGN'] === undefined ? [{ step: 'order-placed' as const, times: 1 }] : deaths

  /** LIVE_CAMPAIGN takes every step; the usual tests those around the order itself. */
  const atExchange =
    process.env['LIVE_CAMPAIGN'] === undefined
      ? deaths.filter(({ step }) => step.startsWith('order-') || step === 'sales-ended')
      : deaths

  describe.each([
    { place: 'alone', dying: deaths },
    { place: 'beside another process', dying: crucial },
    ...(isAtExchange
      ? [{ place: 'alone, with an account at an exchange', dying: atExchange, stage: binanceStage }]
      : []),
  ])('a process that dies $place', ({ place, dying, stage }) => {
    it.each(dying)('right after $step ($times) doubles no order and loses none', async ({ step, times }) => {
      const world = await liveWorld({ database, ...(stage && { stage }) })
      const other = place === 'beside another process' ? world.process().runner : undefined
      const deployment = await world.deployed()
      const first = world.runner()
      world.toDecision()
      await settle(world, first, 3)
      await first.close()
      // The next decision sells everything and buys something else: every step is on its way.
      world.signalService.percentages = { GLD: 100 }
      world.toDecision()
      // The one that dies holds the lease; the other polls all the time.
      const dying = dieAfter(death, world, { step, times })
      await (other ? pollUntil(dying, other, deployment.id) : dying)
      world.clock.advance(5_000)
      await settle(world, other ?? world.runner(), 6)

      const orders = await world.stage.ordersTaken()
      expect(orders.map(({ side, ticker, state }) => `${side} ${ticker} ${state}`).sort()).toEqual([
        'buy GLD filled',
        'buy SPY filled',
        'buy TLT filled',
        'sell SPY filled',
        'sell TLT filled',
      ])
      const { positions } = await world.deps.database.books.slice(world.accountId, deployment.id)
      expect([...positions].map(([ticker, quantity]) => `${String(quantity)} ${ticker}`)).toEqual(['55.40166205 GLD'])
      expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
      expect((await world.deps.database.deployments.byId(deployment.id))?.status).toBe('running')
      await expectSound(world)
      expect(world.stage.violations).toEqual([])
      await world.close()
    })
  })

  /** LIVE_CAMPAIGN takes every step; the usual tests those at which one half of a change of sides is done. */
  const betweenSides =
    process.env['LIVE_CAMPAIGN'] === undefined
      ? deaths.filter(({ step }) => step === 'order-placed' || step === 'sales-ended' || step === 'purchases-committed')
      : deaths

  describe('a process that dies while a long position becomes a short one, and a short one a long one', () => {
    it.each(betweenSides)('right after $step ($times) doubles no order and loses none', async ({ step, times }) => {
      const world = await liveWorld({ database, percentages: { SPY: 100, TLT: -30 }, leverageLimit: 2 })
      const deployment = await world.deployed()
      const first = world.runner()
      world.toDecision()
      await settle(world, first, 5)
      await first.close()
      expect(await sliceOf(world, deployment.id)).toEqual(['2970', '-33 TLT', '25 SPY'])
      world.signalService.percentages = { SPY: -50, TLT: 50 }
      world.toDecision()
      await dieAfter(death, world, { step, times })
      world.clock.advance(5_000)
      await settle(world, world.runner(), 8)
      const orders = await world.stage.ordersTaken()
      expect(orders.map(({ side, ticker, state }) => `${side} ${ticker} ${state}`).sort()).toEqual([
        'buy SPY filled',
        'buy TLT filled',
        'buy TLT filled',
        'sell SPY filled',
        'sell SPY filled',
        'sell TLT filled',
      ])
      expect(await sliceOf(world, deployment.id)).toEqual(['9800', '-12 SPY', '55.555555556 TLT'])
      expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
      await expectSound(world)
      await world.close()
    })
  })

  /** Around the sending of an order. */
  const SENDING = ['order-quoted', 'order-claimed', 'order-placed', 'order-recorded'] as const
  const SENT_AND_BOOKED = [
    'decision-written',
    'decision-committed',
    ...SENDING,
    'broker-read',
    'fills-written',
    'fills-committed',
  ] as const

  interface OrderTypeCase {
    readonly type: OrderTypeId
    readonly stage?: typeof binanceStage
    /** LIVE_CAMPAIGN takes all of them. */
    readonly steps: readonly OrderStep[]
    /** Those of the usual tests. */
    readonly usual: readonly OrderStep[]
    /** After which of those steps it dies. */
    readonly times: number
    /** How far the clock of the dying process goes in a beat. */
    readonly beatMs: number
    /** Orders at the broker in the end. */
    readonly orders: number
    readonly holds: readonly string[]
  }

  const WHOLE = ['15.000', '44.444']
  const orderTypeCases: readonly OrderTypeCase[] = [
    // Each beat is a minute: a slice, or the time of a limit. The third order is the first one's second slice.
    { type: 'slices', steps: SENT_AND_BOOKED, usual: SENDING, times: 3, beatMs: MINUTE, orders: 6, holds: WHOLE },
    {
      type: 'slices',
      stage: binanceStage,
      steps: SENT_AND_BOOKED,
      usual: ['order-placed'],
      times: 3,
      beatMs: MINUTE,
      orders: 6,
      holds: WHOLE,
    },
    {
      type: 'limit',
      steps: [...SENT_AND_BOOKED.filter((step) => !step.startsWith('fills-')), ...TIME_OUT_STEPS],
      usual: ['order-quoted', 'order-placed', ...TIME_OUT_STEPS],
      times: 1,
      beatMs: MINUTE,
      orders: 4,
      holds: WHOLE,
    },
    // As many shares as the dollars buy at one percent above the quote.
    {
      type: 'collar',
      steps: SENT_AND_BOOKED,
      usual: ['order-placed'],
      times: 1,
      beatMs: SECOND,
      orders: 2,
      holds: ['14.851', '44.004'],
    },
    {
      type: 'on_close',
      steps: SENT_AND_BOOKED,
      usual: ['order-placed'],
      times: 1,
      beatMs: SECOND,
      orders: 2,
      holds: ['14.000', '44.000'],
    },
    // Sent in the evening, three hours and a half after the decision.
    {
      type: 'on_open',
      steps: SENT_AND_BOOKED,
      usual: ['order-claimed'],
      times: 1,
      beatMs: 31 * MINUTE,
      orders: 2,
      holds: ['14.000', '44.000'],
    },
  ]

  const typedDeaths = orderTypeCases.flatMap(({ steps, usual, ...one }) =>
    (process.env['LIVE_CAMPAIGN'] === undefined ? usual : steps).map((step) => {
      const times = step.startsWith('decision-') ? 1 : one.times
      return Object.assign({}, one, { step, times, place: one.stage ? 'an exchange' : 'a broker' })
    }),
  )

  describe('a process that dies between the parts of an order', () => {
    it.each(typedDeaths)(
      '$type at $place: right after $step ($times) doubles no order and loses none',
      async ({ type, stage, step, times, beatMs, orders, holds }) => {
        const world = await liveWorld({ database, ...(stage && { stage }) })
        const deployment = await world.deployed({ settings: settingsOf({ execution: executionBy(type) }) })
        world.toDecision()
        await tradeThroughDeath(world, { type, step, times, beatMs })
        const ids = (await world.stage.ordersTaken()).map(({ clientOrderId }) => clientOrderId)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids).toHaveLength(orders)
        const [cash, ...positions] = await sliceOf(world, deployment.id)
        expect(positions.map((one) => Number(one.split(' ')[0]).toFixed(3))).toEqual(holds)
        if (holds === WHOLE) expect(Number(cash)).toBeLessThan(0.01)
        expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
        await expectSound(world)
        expect(world.stage.violations).toEqual([])
        await world.close()
      },
    )
  })

  const executionBy = (type: OrderTypeId): OrderExecution => ({
    type,
    slices: 3,
    sliceMinutes: 6,
    timeoutMinutes: 2,
    afterTimeout: 'market',
    collarPct: 1,
  })

  type Death = Pick<OrderTypeCase, 'type' | 'times' | 'beatMs'> & { readonly step: OrderStep }

  /** The process that trades the decision which is due dies after the step, and another one brings it to its end. */
  async function tradeThroughDeath(world: LiveWorld, { type, step, times, beatMs }: Death): Promise<void> {
    world.stage.holdsFills = type === 'limit'
    await dieAfter(death, world, { step, times, beatMs })
    world.clock.advance(5 * MINUTE)
    const runner = world.runner()
    await settle(world, runner, 4)
    world.stage.holdsFills = false
    if (isAuction(type)) await throughAuction(world, runner, type)
    else {
      for (let minute = 0; minute < 8; minute++) {
        world.clock.advance(MINUTE)
        await settle(world, runner, 2)
      }
      // Market orders for the rest may have been taken while nothing was filled.
      world.stage.trade()
      await settle(world, runner, 3)
    }
    await runner.close()
  }

  /** The evening, where orders are sent for the next open, then the auction. */
  async function throughAuction(world: LiveWorld, runner: LiveRunner, type: 'on_close' | 'on_open'): Promise<void> {
    const day = epochDayOf(world.clock.now().getTime())
    const passTo = async (instant: number) => {
      world.clock.advance(Math.max(0, instant - world.clock.now().getTime()))
      await settle(world, runner, 3)
    }
    if (type === 'on_open') await passTo(openingWindow(day, nyse).from + MINUTE)
    world.clock.advance((type === 'on_open' ? nyse.openOf(day + 1) : nyse.closeOf(day)) - world.clock.now().getTime())
    world.broker.inner.auction(type === 'on_open' ? 'opg' : 'cls')
    await settle(world, runner, 4)
  }

  /** Each type sells short in as many orders, and buys back in as many. */
  const shortCases: readonly Omit<OrderTypeCase, 'stage' | 'holds'>[] = [
    { type: 'market', steps: SENT_AND_BOOKED, usual: [], times: 1, beatMs: SECOND, orders: 1 },
    { type: 'slices', steps: SENT_AND_BOOKED, usual: ['order-placed'], times: 2, beatMs: MINUTE, orders: 3 },
    {
      type: 'limit',
      steps: [...SENT_AND_BOOKED.filter((step) => !step.startsWith('fills-')), ...TIME_OUT_STEPS],
      usual: ['rest-journaled'],
      times: 1,
      beatMs: MINUTE,
      orders: 2,
    },
    { type: 'collar', steps: SENT_AND_BOOKED, usual: [], times: 1, beatMs: SECOND, orders: 1 },
    { type: 'on_close', steps: SENT_AND_BOOKED, usual: [], times: 1, beatMs: SECOND, orders: 1 },
    { type: 'on_open', steps: SENT_AND_BOOKED, usual: [], times: 1, beatMs: 31 * MINUTE, orders: 1 },
  ]

  const shortDeaths = shortCases.flatMap(({ steps, usual, ...one }) =>
    (process.env['LIVE_CAMPAIGN'] === undefined ? usual : steps).map((step) =>
      Object.assign({}, one, { step, times: step.startsWith('decision-') ? 1 : one.times }),
    ),
  )

  describe('a process that dies while borrowed shares are sold, and one that dies while they are bought back', () => {
    it.each(shortDeaths)(
      '$type: right after $step ($times) doubles no order and loses none',
      async ({ orders, ...death }) => {
        const world = await liveWorld({ database, percentages: { TLT: -50 }, leverageLimit: 2 })
        const deployment = await world.deployed({ settings: settingsOf({ execution: executionBy(death.type) }) })
        world.toDecision()
        await tradeThroughDeath(world, death)
        expect((await sliceOf(world, deployment.id)).slice(1)).toEqual(['-55 TLT'])
        expect(await world.stage.ordersTaken()).toHaveLength(orders)
        await expectSound(world)
        world.signalService.percentages = {}
        world.toDecision()
        await tradeThroughDeath(world, death)
        expect((await sliceOf(world, deployment.id)).slice(1)).toEqual([])
        const ids = (await world.stage.ordersTaken()).map(({ clientOrderId }) => clientOrderId)
        expect([ids.length, new Set(ids).size]).toEqual([2 * orders, 2 * orders])
        expect((await world.deps.database.decisions.latest(deployment.id))?.outcome).toBe('done')
        await expectSound(world)
        await world.close()
      },
    )

    const stopping =
      process.env['LIVE_CAMPAIGN'] === undefined
        ? (['order-placed'] as const)
        : [...SENDING, 'fills-committed' as const]
    it.each(stopping)('at a stop that buys everything back: right after %s it is bought once', async (step) => {
      const world = await liveWorld({ database, percentages: { SPY: 100, TLT: -30 }, leverageLimit: 2 })
      const deployment = await world.deployed()
      const first = world.runner()
      world.toDecision()
      await settle(world, first, 5)
      await first.close()
      await controlDeployment(world.deps, world.userId, deployment.id, 'stop', { positions: 'sell' })
      await dieAfter(death, world, { step, times: step === 'fills-committed' ? 2 : 1 })
      world.clock.advance(5_000)
      await settle(world, world.runner(), 6)
      const orders = await world.stage.ordersTaken()
      expect(orders.map(({ side, ticker, state }) => `${side} ${ticker} ${state}`).sort()).toEqual([
        'buy SPY filled',
        'buy TLT filled',
        'sell SPY filled',
        'sell TLT filled',
      ])
      expect(await sliceOf(world, deployment.id)).toEqual(['10000'])
      await expectSound(world)
      await world.close()
    })
  })

  /** LIVE_CAMPAIGN takes every step; the usual tests those between which trades inside the account could be doubled or lost. */
  const nettingDeaths =
    process.env['LIVE_CAMPAIGN'] === undefined
      ? [
          { step: 'decision-written' as const, times: 2 },
          { step: 'decision-committed' as const, times: 1 },
          { step: 'order-claimed' as const, times: 1 },
          { step: 'order-placed' as const, times: 2 },
          { step: 'sales-ended' as const, times: 1 },
        ]
      : deaths

  describe('a process that dies while deployments of one account trade with each other', () => {
    it.each(nettingDeaths)('right after $step ($times) books that trade once', async ({ step, times }) => {
      const world = await liveWorld({ database })
      const seller = await world.deployed()
      const first = world.runner()
      world.toDecision()
      await settle(world, first, 3)
      await first.close()
      // Half of what the seller trims is what the buyer wants; the rest is sold at the broker.
      const buyer = await world.deployed({ name: 'Buyer', capitalPolicyValue: Decimal.parse('200') })
      world.quotes.set('SPY', Decimal.parse('440'))
      world.toDecision()
      await dieAfter(death, world, { step, times })
      world.clock.advance(5_000)
      await settle(world, world.runner(), 6)

      const orders = (await world.stage.ordersTaken()).slice(0, -2)
      expect(orders.map(({ side, ticker, state }) => `${side} ${ticker} ${state}`).sort()).toEqual([
        'buy TLT filled',
        'buy TLT filled',
        'sell SPY filled',
      ])
      const entries = await database.database
        .selectFrom('ledger_entries')
        .select('amount')
        .where('account_id', '=', world.accountId)
        .where('key', 'like', 'net:%')
        .execute()
      expect(entries.map(({ amount }) => Number(amount).toFixed(2))).toEqual(['120.00', '120.00'])
      for (const { id } of [seller, buyer]) {
        const inside = (await world.deps.database.orders.newest(id, 20)).filter((one) => one.brokerOrderId === null)
        expect(inside.map(({ state, filledQuantity }) => `${state} ${String(filledQuantity)}`)).toEqual([
          'filled 0.272727273',
        ])
        expect((await world.deps.database.decisions.latest(id))?.outcome).toBe('done')
      }
      await expectSound(world)
      await world.close()
    })
  })

  /** LIVE_CAMPAIGN takes every step; the usual tests those around the decision that keeps the states. */
  const rulesDeaths =
    process.env['LIVE_CAMPAIGN'] === undefined
      ? deaths.filter(({ step, times }) => times === 1 && (step === 'signal-known' || step === 'decision-committed'))
      : deaths

  describe('a process that dies while a deployment decides by rules', () => {
    const data = rulesData()
    const plan = planBacktest({ ...rulesRequest, to: dateOf('2019-12-31') })
    const stateAfter = (day: number) => signalNow(plan, data, [], nyse.closeOf(day)).rules!
    /** The day by whose bar the latch turns off, so that the next decision sells one thing and buys another. */
    let turn: number
    beforeAll(async () => {
      const rules = (await runBacktest(plan, data)).rules!
      const isOn = (check: number) => rules.ways[rules.way[check]!] === 'trend yes'
      const check = rules.timestamps.findIndex(
        (stamp, i) => stamp > dayStamp(dateOf('2019-01-03')) && isOn(i - 1) && !isOn(i),
      )
      turn = epochDayOf(rules.timestamps[check]!)
    })

    it.each(rulesDeaths)('right after $step ($times) keeps the states of its latches', async ({ step, times }) => {
      const [before, day, after] = [turn, nyse.nextSession(turn), nyse.nextSession(nyse.nextSession(turn))]
      const world = await liveWorld({ database, now: nyse.openOf(before) })
      const deps = rulesDeps(world, data)
      const deployment = await deployedRules(world, deps)
      const first = new LiveRunner(deps)
      goTo(world, data, nyse.closeOf(before) - 30 * MINUTE, before)
      await settle(world, first, 4)
      await first.close()
      goTo(world, data, nyse.closeOf(day) - 30 * MINUTE, day)
      await dieAfter(death, world, { step, times, byRules: true })
      world.clock.advance(5_000)
      const next = new LiveRunner(rulesDeps(world, data))
      await settle(world, next, 6)
      const kept = (await deps.database.decisions.latest(deployment.id))!
      expect(kept.outcome).toBe('done')
      expect(kept.signal.rules).toEqual(stateAfter(turn))
      expect(kept.signal.rules!.check!.latches).toEqual([{ id: 'position', ticker: null, isOn: false }])
      const orders = (await world.stage.ordersTaken()).map(({ side, ticker }) => `${side} ${ticker}`)
      expect(orders.sort()).toEqual(['buy SPY', 'buy TLT', 'buy TLT', 'sell SPY'])
      goTo(world, data, nyse.closeOf(after) - 30 * MINUTE, after)
      await settle(world, next, 4)
      expect((await deps.database.decisions.latest(deployment.id))!.signal.rules).toEqual(stateAfter(day))
      await expectSound(world)
      await next.close()
      await world.close()
    })
  })

  describe('a process that dies while a deployment decides by a signal from outside', () => {
    const data = rulesData()

    it.each(rulesDeaths)('right after $step ($times) trades the signal once', async ({ step, times }) => {
      const [before, day] = [dateOf('2019-01-03'), dateOf('2019-01-04')]
      const world = await liveWorld({ database, now: nyse.openOf(before) })
      const deps = externalDeps(world, data)
      const { deployment, signal } = await deployedSignals(world, deps)
      await deps.database.records.open(
        deployment.userId,
        { deploymentId: deployment.id },
        { header: '{}', at: world.clock.now() },
      )
      await signal('on', { allocation: 'on' }, new Date(nyse.openOf(before)))
      const first = new LiveRunner(deps)
      goTo(world, data, nyse.closeOf(before) - 30 * MINUTE, before)
      await settle(world, first, 4)
      await first.close()
      const at = new Date(nyse.openOf(day))
      expect([await signal('off', { allocation: 'off' }, at), await signal('off', { allocation: 'off' }, at)]).toEqual([
        'accepted',
        'doubled',
      ])
      goTo(world, data, nyse.closeOf(day) - 30 * MINUTE, day)
      await dieAfter(death, world, { step, times, byRules: true })
      // The sender was not answered, and sends it once more.
      expect(await signal('off', { allocation: 'off' }, at)).toBe('doubled')
      world.clock.advance(5_000)
      const next = new LiveRunner(externalDeps(world, data))
      await settle(world, next, 6)
      const kept = (await deps.database.decisions.latest(deployment.id))!
      expect(kept).toMatchObject({ outcome: 'done', signal: { external: { key: 'allocation:off' } } })
      const orders = (await world.stage.ordersTaken()).map(({ side, ticker }) => `${side} ${ticker}`)
      expect(orders.sort()).toEqual(['buy SPY', 'buy TLT', 'sell SPY'])
      // The forward record has each decision once, too.
      const entries = await deps.database.records.entries(
        (await deps.database.records.find(deployment.userId, { deploymentId: deployment.id }))!.id,
      )
      expect(entries.map(({ content }) => (JSON.parse(content) as { signal: string }).signal)).toEqual([
        'Signal: on',
        'Signal: off',
      ])
      await expectSound(world)
      await next.close()
      await world.close()
    })
  })
}
