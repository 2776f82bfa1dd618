import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { Random } from '@tradewright/core/random'
import { dateOf, dayStamp, MINUTE } from '@tradewright/core/time'
import { dividendColumn } from '@tradewright/engine/backtest/dividend-column'
import { adjustPrices, type CorporateActions } from '@tradewright/engine/market/corporate-actions'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { Broker } from '@tradewright/engine/trading/broker'
import { tradingCosts } from '@tradewright/engine/trading/costs'
import { accountValue, type Holdings } from '@tradewright/engine/trading/holdings'
import { nothingHappened } from '@tradewright/engine/trading/paper-account/settle'
import type { PaperBar } from '@tradewright/engine/trading/paper-account/paper-market'
import { simulate } from '@tradewright/engine/trading/simulation'
import { tradesToReach } from '@tradewright/engine/trading/sizing'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { createTestUser } from '../../../test-support/test-user.ts'
import { createAccountRows } from '../../stores/brokerage/brokerage-accounts.ts'
import { createPaperStore } from '../../stores/brokerage/paper-accounts.ts'
import { PAPER_CASH, paperBroker } from './paper-broker.ts'
import type { PaperPrices } from './ports.ts'

/** LIVE_CAMPAIGN=month replays many more accounts, for longer. */
const [RUNS, BARS] = process.env['LIVE_CAMPAIGN'] === 'month' ? [20, 60] : [2, 15]

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const TICKERS = ['AAA', 'BBB', 'CCC'] as const
const DAYS = nyse.sessionsBetween(dateOf('2024-01-02'), dateOf('2024-04-30')).slice(0, BARS)

interface Rules {
  readonly seed: number
  readonly costBps: number
  readonly wholeShares: boolean
  readonly hasSplits: boolean
  readonly hasFlows: boolean
  /** What borrowed shares cost, in percent a year; nothing is sold short without it. */
  readonly borrowPct?: number
}

/** Prices as they were traded, and what goes ex. */
interface Listed extends CorporateActions {
  readonly close: Float64Array
}

/** What the strategy wants and what its owner pays in, bar by bar. */
interface Script {
  readonly listed: readonly Listed[]
  readonly decisions: readonly (Float64Array | undefined)[]
  readonly flows: Float64Array
  readonly rebalances: Uint8Array
}

function scriptOf({ seed, hasSplits, hasFlows, borrowPct }: Rules): Script {
  const random = new Random(seed)
  const chance = (oneIn: number) => random.below(oneIn) === 0
  const cents = (most: number) => random.below(most) / 100
  const weights = borrowPct === undefined ? weightsOf : signedWeightsOf
  return {
    listed: TICKERS.map(() => listing(random, hasSplits)),
    decisions: Array.from(DAYS, (_, bar) => (bar === 0 || chance(6) ? weights(random) : undefined)),
    flows: Float64Array.from(DAYS, (_, bar) => (hasFlows && bar > 0 && chance(8) ? cents(4_000_000) - 15_000 : 0)),
    rebalances: Uint8Array.from(DAYS, () => (chance(5) ? 1 : 0)),
  }
}

function listing(random: Random, hasSplits: boolean): Listed {
  const close = new Float64Array(BARS)
  const splits: { exDay: number; ratio: number }[] = []
  const dividends: { exDay: number; amount: number }[] = []
  let price = 20 + random.below(40_000) / 100
  for (const [bar, exDay] of DAYS.entries()) {
    if (hasSplits && bar > 0 && random.below(12) === 0) {
      const ratio = [2, 4, 1.5, 0.5][random.below(4)]!
      splits.push({ exDay, ratio })
      price /= ratio
    }
    price = Math.max(1, Math.round(price * (0.96 + random.below(800) / 10_000) * 100) / 100)
    if (bar > 0 && random.below(6) === 0) dividends.push({ exDay, amount: (1 + random.below(100)) / 100 })
    close[bar] = price
  }
  return { close, splits, dividends }
}

/** Weights of the whole account, or with a part of it in cash. */
function weightsOf(random: Random): Float64Array {
  const parts = [...TICKERS, 'cash'].map((_, i) => (random.below(3) === 0 && i > 0 ? 0 : random.below(100)))
  const sum = Math.max(
    1,
    parts.reduce((a, b) => a + b, 0),
  )
  return Float64Array.from(TICKERS, (_, i) => parts[i]! / sum)
}

/** Each may be sold short at one decision and held at the next. A little cash is left: whole shares do not add up to all of it. */
function signedWeightsOf(random: Random): Float64Array {
  const weights = TICKERS.map(() => (random.below(45) - 20) / 100)
  const long = random.below(TICKERS.length)
  const others = weights.reduce((sum, weight, i) => sum + (i === long ? 0 : weight), 0)
  return Float64Array.from(weights, (weight, i) => (i === long ? 0.95 - others : weight))
}

/** The value at each close by the backtest: on prices that are adjusted for splits, in floats. */
function backtested(script: Script, { costBps, wholeShares, borrowPct }: Rules): Float64Array {
  const { listed, decisions, flows, rebalances } = script
  const timestamps = Float64Array.from(DAYS, dayStamp)
  const priced = listed.map(({ close, ...actions }) =>
    adjustPrices({ timestamps, columns: { close } }, actions, 'split'),
  )
  const close = priced.map(({ columns }) => columns['close']!)
  const prices = {
    tickers: TICKERS,
    timestamps,
    days: DAYS,
    open: close,
    close,
    dividends: priced.map(({ dividends }) => dividendColumn(dividends, DAYS)),
  }
  return simulate(prices, {
    startValue: PAPER_CASH.toNumber(),
    decide: (bar) => decisions[bar],
    fillTiming: 'same_close',
    costs: tradingCosts(costBps),
    wholeShares,
    flows,
    rebalances,
    ...(borrowPct !== undefined && { shortCost: borrowPct / 100 / nyse.sessionsPerYear }),
  }).values
}

const decimalOf = (value: number | undefined): Decimal | undefined =>
  value === undefined ? undefined : Decimal.fromNumber(value)

/** The market as a provider tells it: the prices of finished sessions, and what goes ex from its morning on. */
class ListedPrices implements PaperPrices {
  readonly #listed: readonly Listed[]
  readonly #clock: ManualClock
  bar = 0

  constructor(listed: readonly Listed[], clock: ManualClock) {
    this.#listed = listed
    this.#clock = clock
  }

  async latest(_: number, tickers: readonly string[]) {
    return new Map(
      tickers.map((ticker) => {
        const price = Decimal.fromNumber(this.#of(ticker).close[this.bar]!)
        return [ticker, { price, isSynthetic: false, at: dayStamp(DAYS[this.bar]!) }]
      }),
    )
  }

  async bars(_: number, tickers: readonly string[]) {
    const now = this.#clock.now().getTime()
    const begun = [...DAYS.entries()].filter(([, day]) => nyse.openOf(day) <= now)
    return new Map(tickers.map((ticker) => [ticker, begun.map(([bar, day]) => this.#bar(ticker, bar, day, now))]))
  }

  isKnown = async () => true

  #bar(ticker: string, bar: number, day: number, now: number): PaperBar {
    const { close, dividends, splits } = this.#of(ticker)
    return {
      day,
      open: undefined,
      close: nyse.closeOf(day) <= now ? Decimal.fromNumber(close[bar]!) : undefined,
      dividend: decimalOf(dividends.find(({ exDay }) => exDay === day)?.amount),
      split: decimalOf(splits.find(({ exDay }) => exDay === day)?.ratio),
    }
  }

  #of(ticker: string): Listed {
    return this.#listed[TICKERS.indexOf(ticker as (typeof TICKERS)[number])]!
  }
}

let accounts = 0

async function openAccount(script: Script, { costBps, borrowPct: shortBorrowPct = 1 }: Rules) {
  const clock = new ManualClock(new Date(nyse.openOf(DAYS[0]!) + MINUTE))
  const userId = await createTestUser(test.database, `replay-${++accounts}`)
  const account = {
    name: 'Paper Account',
    broker: 'paper',
    isPaper: true,
    isDefault: true,
    sealedKeys: null,
    status: 'verified',
    reason: null,
    connectedAt: null,
  } as const
  const { id: accountId } = await createAccountRows(test.database).insert(userId, account, clock.now())
  const store = createPaperStore(test.database)
  await store.open(accountId, PAPER_CASH, { tradingCostBps: costBps, partialFill: 1, shortBorrowPct }, clock.now())
  const prices = new ListedPrices(script.listed, clock)
  const broker = paperBroker({ store, prices, clock }, { userId, accountId })
  const deposit = (amount: number) =>
    store.change(accountId, ({ state, settledAt }) => ({
      state: { ...state, cash: state.cash.plus(Decimal.fromNumber(amount)) },
      settledAt,
      ...nothingHappened,
    }))
  return { broker, prices, clock, deposit }
}

async function holdingsOf(broker: Broker): Promise<Holdings> {
  const [{ cash }, positions] = [await broker.account(), await broker.positions()]
  const held = new Map(positions.map(({ ticker, quantity }) => [ticker, quantity.toNumber()]))
  return { cash: cash.toNumber(), quantities: Float64Array.from(TICKERS, (ticker) => held.get(ticker) ?? 0) }
}

/** The value at each close of a paper account that is traded by the same script, a minute before each close. */
async function replayed(script: Script, rules: Rules): Promise<number[]> {
  const { broker, prices, clock, deposit } = await openAccount(script, rules)
  const sizing = { costs: tradingCosts(rules.costBps), wholeShares: rules.wholeShares }
  let target: Float64Array | undefined
  let orders = 0
  const tradeTo = async (weights: Float64Array, closes: Float64Array): Promise<void> => {
    const before = await holdingsOf(broker)
    const trades = tradesToReach(weights, before, closes, sizing)
    // No order goes from one side to the other.
    const parts = [...trades.entries()].flatMap(([i, quantity]) => {
      const held = before.quantities[i]!
      const isBeyond = held !== 0 && Math.sign(held + quantity) === -Math.sign(held)
      return isBeyond ? [[i, -held] as const, [i, quantity + held] as const] : [[i, quantity] as const]
    })
    const isSale = ([, quantity]: readonly [number, number]) => quantity < 0
    const inOrder = [...parts.filter(isSale), ...parts.filter((part) => !isSale(part) && part[1] !== 0)]
    for (const [i, quantity] of inOrder) {
      const order = await broker.place({
        clientOrderId: `order-${++orders}`,
        ticker: TICKERS[i]!,
        side: quantity < 0 ? 'sell' : 'buy',
        size: { quantity: Decimal.fromNumber(Math.abs(quantity)) },
        execution: { type: 'market' },
        timeInForce: 'day',
      })
      expect(order.state, order.reason).toBe('filled')
    }
  }
  const values: number[] = []
  for (const [bar, day] of DAYS.entries()) {
    prices.bar = bar
    clock.advance(nyse.closeOf(day) - MINUTE - clock.now().getTime())
    const closes = Float64Array.from(script.listed, ({ close }) => close[bar]!)
    const before = await holdingsOf(broker)
    const value = accountValue(before, closes)
    const isRebalanced = target !== undefined && script.rebalances[bar] === 1
    const flow = Math.max(script.flows[bar]!, -value)
    if (flow !== 0) await deposit(flow)
    if (flow !== 0 && !isRebalanced) {
      await tradeTo(
        before.quantities.map((quantity, i) => (quantity * closes[i]!) / value),
        closes,
      )
    }
    if (isRebalanced) await tradeTo(target!, closes)
    target = script.decisions[bar] ?? target
    if (script.decisions[bar]) await tradeTo(target!, closes)
    values.push(accountValue(await holdingsOf(broker), closes))
  }
  return values
}

const rules = (more: object) =>
  fc.record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    costBps: fc.constantFrom(0, 1, 25),
    hasFlows: fc.boolean(),
    ...more,
  }) as fc.Arbitrary<Rules>

it.each([
  ['fractions of shares, with splits', rules({ wholeShares: fc.constant(false), hasSplits: fc.constant(true) })],
  ['whole shares', rules({ wholeShares: fc.constant(true), hasSplits: fc.constant(false) })],
  [
    'whole shares, some of them sold short',
    rules({ wholeShares: fc.constant(true), hasSplits: fc.constant(false), borrowPct: fc.constantFrom(0, 1, 40) }),
  ],
])('a paper account replayed bar by bar is worth what the backtest says, to the cent: %s', async (_, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (one) => {
      const script = scriptOf(one)
      const expected = backtested(script, one)
      const values = await replayed(script, one)
      const differences = values.map((value, bar) => Math.abs(value - expected[bar]!))
      expect(Math.max(...differences), JSON.stringify(one)).toBeLessThan(0.005)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})
