import { choicesOf } from '@tradewright/core/backtest-settings'
import { isDeepStrictEqual } from 'node:util'
import { Random } from '@tradewright/core/random'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { freeOfCosts, tradingCosts, type TradingCosts } from './costs.ts'
import type { PriceTable } from './price-table.ts'
import { simulate, simulateFast } from './simulation.ts'
import { emptyColumns, type SimulationResult, type SimulationRules } from './simulation-rules.ts'

const BARS = 80

/** So often an event of its kind comes, per bar. */
interface Market {
  readonly seed: number
  readonly tickers: number
  readonly dividends: number
  readonly crashes: number
}

/** A split is a dividend's neighbour here: prices are adjusted before they are simulated. An ended ticker stands still. */
function pricesOf({ seed, tickers, dividends, crashes }: Market): PriceTable {
  const random = new Random(seed)
  const close = Array.from({ length: tickers }, (_, ticker) => {
    let price = 20 + random.float() * 100
    const endsAt = ticker % 3 === 2 ? random.below(BARS) : BARS
    return Float64Array.from({ length: BARS }, (_, bar) => {
      if (bar < endsAt) price *= random.float() < crashes ? random.float() * 0.2 : 1 + (random.float() - 0.5) / 10
      // Worthless for good.
      return random.float() < crashes / 20 ? (price = 0) : price
    })
  })
  const gapped = (price: number) => (random.float() < 0.1 ? Number.NaN : price * (1 + (random.float() - 0.5) / 50))
  return {
    tickers: close.map((_, i) => `T${i}`),
    timestamps: Float64Array.from({ length: BARS }, (_, bar) => bar),
    days: Int32Array.from({ length: BARS }, (_, bar) => bar),
    close,
    open: close.map((column) => column.map(gapped)),
    dividends: close.map((column, i) =>
      i % 2 === 0 && dividends > 0 ? column.map((price) => (random.float() < dividends ? price / 100 : 0)) : undefined,
    ),
  }
}

interface Strategy {
  readonly seed: number
  readonly decisions: number
  readonly mayShort: boolean
  readonly leverage: number
}

/** A fresh one for each run, since it draws its weights as it goes. */
function decideBy({ seed, decisions, mayShort, leverage }: Strategy, tickers: number): SimulationRules['decide'] {
  const random = new Random(seed)
  return (bar) => {
    if (bar > 0 && random.float() >= decisions) return undefined
    const drawn = Float64Array.from({ length: tickers }, () =>
      random.float() < 0.3 ? 0 : random.float() - (mayShort ? 0.3 : 0),
    )
    const sum = drawn.reduce((total, weight) => total + Math.abs(weight), 0)
    return sum === 0 ? drawn : drawn.map((weight) => (weight / sum) * leverage)
  }
}

const slipping: TradingCosts = {
  fee: (quantity, price) => Math.abs(quantity) * price * 0.0003,
  slippage: (quantity, price) => price * (quantity > 0 ? 1.001 : 0.999),
}

const columnOf = (seed: number, value: (random: Random) => number): Float64Array => {
  const random = new Random(seed)
  return Float64Array.from({ length: BARS }, () => value(random))
}

const seed = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const rarely = fc.constantFrom(0, 0.02, 0.3)
const ruled = fc.record(
  {
    fillTiming: fc.constantFrom(...choicesOf('fillTiming')),
    costs: fc.constantFrom(freeOfCosts, tradingCosts(10), tradingCosts(5, 1), slipping),
    startValue: fc.constantFrom(100, 10_000),
    wholeShares: fc.boolean(),
    flows: seed.map((from) => columnOf(from, (random) => (random.float() < 0.1 ? random.below(400) - 250 : 0))),
    flowShares: seed.map((from) => columnOf(from, (random) => (random.float() < 0.1 ? (random.float() - 0.6) / 4 : 0))),
    rebalances: seed.map((from) => Uint8Array.from(columnOf(from, (random) => (random.float() < 0.1 ? 1 : 0)))),
    decisionBars: seed.map((from) => Uint8Array.from(columnOf(from, (random) => (random.float() < 0.3 ? 1 : 0)))),
    bandPct: fc.integer({ min: 1, max: 20 }),
    borrowingCosts: seed.map((from) => columnOf(from, (random) => random.float() / 1000)),
    shortCost: fc.constantFrom(0, 0.0004),
    executed: fc.constant((bar: number, ticker: number) =>
      (bar + ticker) % 2 === 0 ? { price: bar % 3 === 0 ? 50 : undefined, feeShare: 0.002 } : undefined,
    ),
  },
  { requiredKeys: ['fillTiming', 'costs', 'startValue'] },
)

it('gives the numbers of the readable loop to the last bit', () => {
  // Used again by every run, as a sweep does.
  const columns = emptyColumns(BARS)
  fc.assert(
    fc.property(
      fc.record({
        seed,
        tickers: fc.integer({ min: 1, max: 5 }),
        dividends: rarely,
        crashes: fc.constantFrom(0, 0.01),
      }),
      fc.record({
        seed,
        decisions: fc.constantFrom(0, 0.1, 0.5),
        mayShort: fc.boolean(),
        leverage: fc.constantFrom(0.7, 1, 1, 3),
      }),
      ruled,
      (market, strategy, rules) => {
        const prices = pricesOf(market)
        const run = () => ({ ...rules, decide: decideBy(strategy, market.tickers) })
        const readable = simulate(prices, run())
        const fast = simulateFast(prices, run(), columns)
        // Tells -0 from 0, and is quicker than the assertion, which is for the message.
        if (!isDeepStrictEqual(fast, readable)) expect(fast).toEqual(readable)
      },
    ),
    { numRuns: 250, seed: 20 },
  )
})

const same = (fast: SimulationResult, readable: SimulationResult) => {
  if (!isDeepStrictEqual(fast, readable)) expect(fast).toEqual(readable)
}

/** In and out of two tickers at every bar: more trades than the kernel keeps at a time. */
function busyAccount(bars: number, fillTiming: SimulationRules['fillTiming'] = 'same_close') {
  const random = new Random(bars)
  const close = [0, 1].map(() => Float64Array.from({ length: bars }, () => 50 + random.float()))
  const timestamps = Float64Array.from({ length: bars }, (_, bar) => bar)
  const days = Int32Array.from(timestamps)
  const prices: PriceTable = { tickers: ['A', 'B'], timestamps, days, open: close, close, dividends: [] }
  const weights = [Float64Array.of(1, 0), Float64Array.of(0.2, 0.8)]
  const decide = (bar: number) => weights[bar % 2]
  return { prices, rules: { startValue: 100, decide, fillTiming, costs: tradingCosts(1) } }
}

it('keeps every trade of an account that trades at every bar', () => {
  const { prices, rules } = busyAccount(3000)
  const fast = simulateFast(prices, rules)
  expect(fast.trades).toHaveLength(6000 - 1)
  same(fast, simulate(prices, rules))
})

it('is right for tables of any size, one after the other, and for other fills of the same table', () => {
  for (const bars of [10, 5000, 20, 1]) {
    for (const fillTiming of choicesOf('fillTiming')) {
      const { prices, rules } = busyAccount(bars, fillTiming)
      same(simulateFast(prices, rules), simulate(prices, rules))
      const next = { ...rules, fillTiming: 'next_open' as const }
      same(simulateFast(prices, next), simulate(prices, next))
    }
  }
})

it('is right without bars, without tickers, and with more tickers than fit the usual log', () => {
  for (const [tickers, bars] of [
    [0, 0],
    [2, 0],
    [0, 30],
    [700, 8],
    [1, 30],
  ] as const) {
    const random = new Random(tickers)
    const close = Array.from({ length: tickers }, () => Float64Array.from({ length: bars }, () => 5 + random.float()))
    const timestamps = Float64Array.from({ length: bars }, (_, bar) => bar)
    const days = Int32Array.from(timestamps)
    const prices: PriceTable = {
      tickers: close.map((_, i) => `T${i}`),
      timestamps,
      days,
      open: close,
      close,
      dividends: [],
    }
    for (const fillTiming of choicesOf('fillTiming')) {
      const decide = (bar: number) => Float64Array.from({ length: tickers }, (_, i) => ((i + bar) % 3) / (2 * tickers))
      const rules = { startValue: 100, decide, fillTiming, costs: tradingCosts(1) }
      same(simulateFast(prices, rules), simulate(prices, rules))
    }
  }
})

it('leaves a result as it was when other accounts run', () => {
  const { prices, rules } = busyAccount(100)
  const first = simulateFast(prices, rules)
  const other = busyAccount(100, 'next_close')
  simulateFast(other.prices, { ...other.rules, startValue: 7 })
  same(first, simulate(prices, rules))
})

it('runs an account whose decisions run another one, and goes on after a decision that failed', () => {
  const { prices, rules } = busyAccount(50)
  const within = {
    ...rules,
    decide: (bar: number) => {
      const { values } = simulateFast(prices, rules)
      return Float64Array.of(values[bar]! > values[0]! ? 1 : 0.5, 0)
    },
  }
  same(simulateFast(prices, within), simulate(prices, within))
  const failing = {
    ...rules,
    decide: () => {
      throw new Error('no data')
    },
  }
  expect(() => simulateFast(prices, failing)).toThrow('no data')
  same(simulateFast(prices, rules), simulate(prices, rules))
})
