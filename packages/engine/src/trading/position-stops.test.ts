import { Decimal } from '@tradewright/core/decimal'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeOfCosts, tradingCosts } from './costs.ts'
import { partyOf, USD } from './ledger/entry.ts'
import { afterStopTrade, followLedger, splitStop, stopFill, stopPrice, withBar } from './position-stops.ts'
import type { PriceTable } from './price-table.ts'
import { simulate, simulateFast } from './simulation.ts'
import { tableOf } from './test-support/price-tables.ts'

const long = { isShort: false, entry: 100, best: 120 }

describe('a stop', () => {
  it('is counted from the price that was paid, or from the best one since', () => {
    expect(stopPrice({ type: 'fixed', pct: 5 }, long)).toBe(95)
    expect(stopPrice({ type: 'trailing', pct: 5 }, long)).toBe(114)
    const short = { isShort: true, entry: 100, best: 80 }
    expect(stopPrice({ type: 'fixed', pct: 5 }, short)).toBe(105)
    expect(stopPrice({ type: 'trailing', pct: 5 }, short)).toBe(84)
  })

  it('is filled at its price, at the open of a bar that begins below it, and not by a bar above it', () => {
    const bar = { open: 100, high: 101, low: 94, close: 99 }
    expect(stopFill(95, bar, false)).toBe(95)
    expect(stopFill(95, { ...bar, open: 90 }, false)).toBe(90)
    expect(stopFill(93, bar, false)).toBeUndefined()
    expect(stopFill(100.5, bar, true)).toBe(100.5)
    expect(stopFill(99, bar, true)).toBe(100)
    const closeAlone = { open: Number.NaN, high: Number.NaN, low: Number.NaN, close: 94 }
    expect(stopFill(95, closeAlone, false)).toBe(94)
  })

  it('follows purchases, sales, splits and the best price', () => {
    const opened = afterStopTrade(undefined, 0, 10, 100)!
    expect(opened).toEqual({ isShort: false, entry: 100, best: 100 })
    const more = afterStopTrade(opened, 10, 30, 120)!
    expect(more).toEqual({ isShort: false, entry: 115, best: 120 })
    expect(afterStopTrade(more, 40, -20, 130)).toBe(more)
    expect(afterStopTrade(more, 40, -40, 130)).toBeUndefined()
    expect(afterStopTrade(more, 40, -50, 130)).toEqual({ isShort: true, entry: 130, best: 130 })
    expect(splitStop(more, 4)).toEqual({ isShort: false, entry: 28.75, best: 30 })
    expect(withBar(more, { open: 119, high: 140, low: 90, close: 118 }).best).toBe(140)
  })
})

describe('the stop of a position in a ledger', () => {
  const party = partyOf(7)
  const decimal = (value: number) => Decimal.fromNumber(value)
  const trade = (quantity: number, price: number) => ({
    type: quantity > 0 ? ('TRADE_BUY' as const) : ('TRADE_SELL' as const),
    legs: [
      { party, asset: 'SPY', amount: decimal(quantity) },
      { party, asset: USD, amount: decimal(-quantity * price) },
    ],
    amount: decimal(Math.abs(quantity * price)),
  })
  const split = (more: number) => ({
    type: 'SPLIT' as const,
    legs: [{ party, asset: 'SPY', amount: decimal(more) }],
    amount: Decimal.zero,
  })

  it('is counted from what was paid, through a split, sales and purchases', () => {
    const movements = [trade(10, 100), split(10), trade(-5, 60), trade(15, 40)]
    expect(followLedger(undefined, 7, 'SPY', movements)).toEqual({
      isShort: false,
      entry: 45,
      best: 50,
      held: '30',
      movements: 4,
    })
    expect(followLedger(undefined, 7, 'SPY', [...movements, trade(-30, 50)])).toBeUndefined()
    expect(followLedger(undefined, 7, 'TLT', movements)).toBeUndefined()
  })

  it('is the same whenever it is brought up to date', () => {
    const change = fc.tuple(fc.integer({ min: -20, max: 30 }), fc.integer({ min: 10, max: 200 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(12), (changes, at) => {
        const movements = changes
          .filter(([quantity]) => quantity !== 0)
          .map(([quantity, price]) => trade(quantity, price))
        const before = followLedger(undefined, 7, 'SPY', movements.slice(0, at))
        const whole = followLedger(undefined, 7, 'SPY', movements)
        // Without a position nothing is kept, and it is counted from the beginning.
        expect(followLedger(before, 7, 'SPY', movements)).toEqual(whole)
      }),
    )
  })
})

const withRange = (
  table: PriceTable,
  low: readonly (readonly number[])[],
  high: readonly (readonly number[])[] = table.close.map((column) => [...column]),
): PriceTable => ({
  ...table,
  low: low.map((column) => Float64Array.from(column)),
  high: high.map((column) => Float64Array.from(column)),
})

const buyAtOnce = (weights: readonly number[]) => ({
  startValue: 1000,
  decide: (bar: number) => (bar === 0 ? Float64Array.from(weights) : undefined),
  fillTiming: 'same_close' as const,
  costs: freeOfCosts,
})

describe('an account with stops', () => {
  it('sells at the stop when the low gets there, and stays out until its next decision or rebalance', () => {
    const prices = withRange(tableOf({ SPY: [100, 98, 99, 100, 101] }, { opens: { SPY: [100, 99, 98, 99, 100] } }), [
      [100, 94, 98, 99, 100],
    ])
    const rules = { ...buyAtOnce([1]), stop: { type: 'fixed', pct: 5 } as const }
    const { values, stopSales } = simulate(prices, rules)
    expect([...values]).toEqual([1000, 950, 950, 950, 950])
    expect(stopSales).toEqual([{ bar: 1, ticker: 'SPY', stop: 95, price: 95 }])
    const again = simulate(prices, { ...rules, rebalances: Uint8Array.of(0, 1, 0, 1, 0) })
    // The rebalance of the very bar does not buy back what it has just sold; the next one does.
    expect([...again.values].map((value) => Math.round(value * 100) / 100)).toEqual([1000, 950, 950, 950, 959.5])
    const banded = simulate(prices, { ...rules, bandPct: 5 })
    expect([...banded.values]).toEqual([...values])
  })

  it('sells at the open where that is below the stop: a gap is not given back', () => {
    const prices = withRange(tableOf({ SPY: [100, 92] }, { opens: { SPY: [100, 90] } }), [[100, 89]])
    const { values, stopSales } = simulate(prices, { ...buyAtOnce([1]), stop: { type: 'fixed', pct: 5 } })
    expect([...values]).toEqual([1000, 900])
    expect(stopSales).toEqual([{ bar: 1, ticker: 'SPY', stop: 95, price: 90 }])
  })

  it('trails the best price of the bars before, not of the one that is judged', () => {
    const prices = withRange(
      tableOf({ SPY: [100, 110, 118, 112] }, { opens: { SPY: [100, 101, 111, 117] } }),
      [[100, 100, 109, 111]],
      [[100, 112, 120, 118]],
    )
    const { stopSales } = simulate(prices, { ...buyAtOnce([1]), stop: { type: 'trailing', pct: 5 } })
    // 5 % below 112 is 106.4: the low of 109 holds, although the bar's own high of 120 would have asked for 114.
    expect(stopSales).toEqual([{ bar: 3, ticker: 'SPY', stop: 114, price: 114 }])
  })

  it('stops what was bought at the open within the same bar, and covers a short position that rises', () => {
    const prices = withRange(
      tableOf({ UP: [100, 103, 104], DN: [50, 47, 47] }, { opens: { UP: [100, 100, 103], DN: [50, 50, 47] } }),
      [
        [100, 99, 103],
        [50, 46, 47],
      ],
      [
        [100, 104, 104],
        [50, 50, 47],
      ],
    )
    const rules = { ...buyAtOnce([-0.5, 0.5]), fillTiming: 'next_open', stop: { type: 'fixed', pct: 3 } } as const
    const { stopSales, values } = simulate(prices, rules)
    expect(stopSales.map(({ ticker, price }) => [ticker, price])).toEqual([
      ['UP', 103],
      ['DN', 48.5],
    ])
    expect(values[1]).toBeCloseTo(1000 - 15 - 15, 9)
  })

  it('leaves every account alone whose stop is never reached, to the last digit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 60, max: 140 }), { minLength: 2, maxLength: 30 }), (closes) => {
        const table = withRange(tableOf({ SPY: closes }), [closes])
        const rules = { ...buyAtOnce([1]), costs: tradingCosts(5), rebalances: new Uint8Array(closes.length).fill(1) }
        const stopped = simulateFast(table, { ...rules, stop: { type: 'trailing', pct: 99 } })
        expect([...stopped.values]).toEqual([...simulateFast(table, rules).values])
      }),
    )
  })
})
