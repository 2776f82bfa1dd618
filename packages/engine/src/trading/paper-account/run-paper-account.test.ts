import { choicesOf } from '@tradewright/core/backtest-settings'
import { Random } from '@tradewright/core/random'
import { dateOf, dayStamp, MINUTE } from '@tradewright/core/time'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nyse } from '../../market/trading-calendar.ts'
import { tradingCosts } from '../costs.ts'
import { simulate } from '../simulation.ts'
import type { SimulationRules } from '../simulation-rules.ts'
import { type PaperBars, runPaperAccount } from './run-paper-account.ts'

const TICKERS = ['AAA', 'BBB', 'CCC']
const DAYS = nyse.sessionsBetween(dateOf('2024-01-02'), dateOf('2024-02-09'))

/** Bars of whole sessions, or of their first five minutes. */
function barsOf(random: Random, isDaily: boolean): PaperBars {
  const stamps = [...DAYS].flatMap((day) =>
    isDaily ? [dayStamp(day)] : [0, 1, 2, 3, 4].map((minute) => nyse.openOf(day) + minute * MINUTE),
  )
  const days = Int32Array.from(stamps, (stamp) => Math.floor(stamp / dayStamp(1)))
  const isFirst = (bar: number) => days[bar] !== days[bar - 1]
  const close = TICKERS.map(() => walk(random, stamps.length))
  const open = close.map((column) =>
    column.map((price) => (random.below(9) === 0 ? Number.NaN : price * (0.99 + random.below(200) / 10_000))),
  )
  const dividends = TICKERS.map((_, i) =>
    i === 2 ? undefined : Float64Array.from(stamps, (_, bar) => (isFirst(bar) && random.below(6) === 0 ? 0.37 : 0)),
  )
  return {
    prices: {
      tickers: TICKERS,
      timestamps: Float64Array.from(stamps),
      days,
      open,
      close,
      low: close.map((column) => column.map((price) => price * 0.97)),
      high: close.map((column) => column.map((price) => price * 1.02)),
      dividends,
    },
    knownAt: Float64Array.from(stamps, (stamp, bar) => (isDaily ? nyse.closeOf(days[bar]!) : stamp + MINUTE)),
    calendar: nyse,
  }
}

function walk(random: Random, length: number): Float64Array {
  let price = 20 + random.below(40_000) / 100
  return Float64Array.from({ length }, () => (price = Math.max(1, price * (0.96 + random.below(800) / 10_000))))
}

/** Some of them sold short; together they are the whole account, as a rule. */
function signedWeightsOf(random: Random): Float64Array {
  const shorts = TICKERS.map((_, i) => (i > 0 && random.below(2) === 0 ? -random.below(60) / 100 : 0))
  const long = random.below(3) === 0 ? 0.4 : 1 - shorts.reduce((a, b) => a + b, 0)
  return Float64Array.from(shorts, (weight, i) => (i === 0 ? long : weight))
}

function weightsOf(random: Random, invested: number): Float64Array {
  const parts = TICKERS.map((_, i) => (i > 0 && random.below(3) === 0 ? 0 : 1 + random.below(100)))
  const sum = parts.reduce((a, b) => a + b, random.below(2) * 50)
  return Float64Array.from(parts, (part) => (invested * part) / sum)
}

interface Script {
  readonly seed: number
  readonly isDaily: boolean
  readonly fillTiming: SimulationRules['fillTiming']
  readonly costs: SimulationRules['costs']
  readonly bandPct: number | undefined
  readonly invested: number
  /** In percent a year; none where nothing is sold short. */
  readonly borrowPct: number | undefined
  readonly stop: SimulationRules['stop']
}

const scripts: fc.Arbitrary<Script> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  isDaily: fc.boolean(),
  fillTiming: fc.constantFrom(...choicesOf('fillTiming')),
  costs: fc.constantFrom(tradingCosts(0), tradingCosts(5), tradingCosts(1, 0.5)),
  bandPct: fc.constantFrom(undefined, 2),
  invested: fc.constantFrom(1, 1.5),
  borrowPct: fc.constantFrom(undefined, 0, 1, 30),
  stop: fc.constantFrom(undefined, { type: 'fixed', pct: 6 } as const, { type: 'trailing', pct: 8 } as const),
})

/** A rebalance sells six tenths of a cent, for which a fixed commission is paid. */
const sellsLessThanACent: Script = {
  seed: 476_772,
  isDaily: false,
  fillTiming: 'next_open',
  costs: tradingCosts(1, 0.5),
  bandPct: undefined,
  invested: 1,
  borrowPct: undefined,
  stop: undefined,
}

describe('a paper account that is traded through bars', () => {
  it('is worth what the simulation says at every close, to the cent, by the same trades, short ones included', () => {
    fc.assert(
      fc.property(scripts, ({ seed, isDaily, fillTiming, costs, bandPct, invested, borrowPct, stop }) => {
        const random = new Random(seed)
        const bars = barsOf(random, isDaily)
        const { length } = bars.knownAt
        const decisions = Array.from({ length }, (_, bar) =>
          bar === 0 || random.below(6) === 0
            ? borrowPct === undefined
              ? weightsOf(random, invested)
              : signedWeightsOf(random)
            : undefined,
        )
        const rules: SimulationRules = {
          startValue: 10_000,
          decide: (bar) => decisions[bar],
          fillTiming,
          costs,
          rebalances: Uint8Array.from({ length }, () => (random.below(5) === 0 ? 1 : 0)),
          borrowingCosts: new Float64Array(length).fill(0.0002),
          ...(bandPct !== undefined && { bandPct }),
          ...(stop && { stop }),
          ...(borrowPct !== undefined && { shortCost: borrowPct / 100 / 252 }),
        }
        const expected = simulate(bars.prices, rules)
        const { values, fills } = runPaperAccount(bars, {
          ...rules,
          leverageLimit: invested === 1 && borrowPct === undefined ? 1 : 20,
        })
        const differences = values.map((value, bar) => Math.abs(value - expected.values[bar]!))
        expect(Math.max(...differences)).toBeLessThan(0.005)
        const moved = (trades: readonly { quantity: number; price: number }[]) =>
          trades.reduce((sum, { quantity, price }) => sum + Math.abs(quantity) * price, 0)
        expect(moved(fills)).toBeCloseTo(moved(expected.trades), 0)
      }),
      { numRuns: 50, examples: [[sellsLessThanACent]] },
    )
  })

  it('fills orders while the market is open: at the opening, and before the close', () => {
    const bars = barsOf(new Random(7), true)
    const only = Float64Array.of(1, 0, 0)
    const run = (fillTiming: SimulationRules['fillTiming']) => {
      const decide = (bar: number) => (bar === 0 ? only : undefined)
      return runPaperAccount(bars, { startValue: 500, decide, fillTiming, costs: tradingCosts(0), leverageLimit: 1 })
    }
    expect(run('next_open').fills).toMatchObject([{ bar: 1, at: nyse.openOf(DAYS[1]!), ticker: 'AAA' }])
    expect(run('same_close').fills).toMatchObject([{ bar: 0, at: nyse.closeOf(DAYS[0]!) - 1000 }])
  })

  it('is not filled beyond its margin', () => {
    const bars = barsOf(new Random(7), true)
    const decide = () => Float64Array.of(1.5, 0, 0)
    const rules = {
      startValue: 500,
      decide,
      fillTiming: 'next_open',
      costs: tradingCosts(0),
      leverageLimit: 1,
    } as const
    const { values, fills } = runPaperAccount(bars, rules)
    expect(fills).toEqual([])
    expect(new Set(values)).toEqual(new Set([500]))
  })
})
