import { dateOf } from '@tradewright/core/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeOf, freeOfCosts, tradingCosts } from './costs.ts'
import { accountValue, type Holdings } from './holdings.ts'
import { sliceTable } from './price-table.ts'
import { simulate } from './simulation.ts'
import type { SimulationRules } from './simulation-rules.ts'
import { proportionalSlippage } from './test-support/costs.ts'
import { tableOf } from './test-support/price-tables.ts'
import { totalsOf } from './trade-log.ts'

/** The share of the account's value that each position is. */
function currentWeights(holdings: Holdings, prices: Float64Array): Float64Array {
  const value = accountValue(holdings, prices)
  return holdings.quantities.map((quantity, i) => (quantity * prices[i]!) / value)
}

/** Invested once, at the first close. */
const buyAndHold = (weights: readonly number[], more: Partial<SimulationRules> = {}): SimulationRules => ({
  startValue: 10_000,
  decide: (bar) => (bar === 0 ? Float64Array.from(weights) : undefined),
  fillTiming: 'same_close',
  costs: freeOfCosts,
  ...more,
})

const at = (bars: number, bar: number, value: number) => {
  const column = new Float64Array(bars)
  column[bar] = value
  return column
}

describe('an allocation', () => {
  it('is invested at the first close and follows its prices', () => {
    const { values, growth, trades } = simulate(tableOf({ A: [50, 60, 45], B: [10, 10, 11] }), buyAndHold([0.6, 0.4]))
    expect([...values]).toEqual([10_000, 11_200, 9_800])
    expect(growth[2]).toBeCloseTo(0.98, 12)
    expect(trades.map(({ ticker, quantity }) => [ticker, quantity])).toEqual([
      ['A', 120],
      ['B', 400],
    ])
  })

  it('takes a cash flow first, spread by current weights, and rebalances then', () => {
    const table = tableOf({ A: [100, 110], B: [100, 100] })
    const flows = at(2, 1, 1000)
    const spread = simulate(table, buyAndHold([0.6, 0.4], { flows }))
    expect(spread.holdings.quantities[0]! * 110).toBeCloseTo(7222.64, 2)
    expect(spread.holdings.quantities[1]! * 100).toBeCloseTo(4377.36, 2)
    const rebalanced = simulate(table, buyAndHold([0.6, 0.4], { flows, rebalances: Uint8Array.of(0, 1) }))
    expect(rebalanced.holdings.quantities[0]! * 110).toBeCloseTo(6960, 8)
    expect(rebalanced.holdings.quantities[1]! * 100).toBeCloseTo(4640, 8)
  })

  it('leaves what is not allocated in cash, which earns nothing', () => {
    const { cash, values } = simulate(tableOf({ A: [100, 110] }), buyAndHold([0.25]))
    expect([...cash]).toEqual([7500, 7500])
    expect(values[1]).toBe(10_250)
  })

  it('borrows what exceeds the account, and pays for it each bar', () => {
    const rules = buyAndHold([1.5], { borrowingCosts: Float64Array.of(0.5, 0.001, 0.001) })
    const { cash, interest } = simulate(tableOf({ A: [100, 100, 100] }), rules)
    expect([...cash]).toEqual([-5000, -5005, -5010.005])
    expect(interest).toBeCloseTo(10.005, 9)
  })

  it('rebalances when a weight leaves its band, whatever the calendar says', () => {
    const table = tableOf({ A: [100, 110, 160], B: [100, 100, 100] })
    const { trades, holdings } = simulate(table, buyAndHold([0.5, 0.5], { bandPct: 5 }))
    expect(trades.map(({ bar }) => bar)).toEqual([0, 0, 2, 2])
    expect([...currentWeights(holdings, Float64Array.of(160, 100))]).toEqual([0.5, 0.5])
  })

  it('does not take a cash flow for a drift', () => {
    const table = tableOf({ A: [100, 101], B: [100, 100] })
    const { holdings } = simulate(table, buyAndHold([0.5, 0.5], { bandPct: 1, flows: at(2, 1, 5000) }))
    expect(currentWeights(holdings, Float64Array.of(101, 100))[0]).toBeCloseTo(101 / 201, 12)
  })

  it('pays dividends into cash where the prices do not hold them', () => {
    const table = tableOf({ A: [100, 98, 98] }, { dividends: [at(3, 1, 2)] })
    const { values, dividends, cash } = simulate(table, buyAndHold([1]))
    expect([...values]).toEqual([10_000, 10_000, 10_000])
    expect([dividends, cash[2]]).toEqual([200, 200])
  })
})

describe('costs', () => {
  it('are paid from the account, which is then fully invested and not in debt', () => {
    const { trades, cash, values } = simulate(tableOf({ A: [100, 100] }), buyAndHold([1], { costs: tradingCosts(10) }))
    expect(cash[0]).toBeCloseTo(0, 9)
    expect(values[0]).toBeCloseTo(10_000 / 1.001, 9)
    expect(totalsOf(trades).fees).toBeCloseTo(10_000 - 10_000 / 1.001, 9)
  })

  it('may be a commission per order, and slippage', () => {
    const fee = (quantity: number, price: number) => feeOf(tradingCosts(100, 50), quantity, price)
    const costs = { fee, slippage: proportionalSlippage(100) }
    const { trades, cash } = simulate(tableOf({ A: [100, 100] }), buyAndHold([1], { costs }))
    expect(trades[0]!.price).toBeCloseTo(101, 12)
    expect(trades[0]!.fee).toBeCloseTo(trades[0]!.quantity * 1.01 + 50, 9)
    expect(cash[0]).toBeCloseTo(0, 7)
  })

  it('show in the growth, from the start value on', () => {
    const { growth } = simulate(tableOf({ A: [100, 100] }), buyAndHold([1], { costs: tradingCosts(10) }))
    expect(growth[0]).toBeCloseTo(1 / 1.001, 12)
  })
})

describe('a decision', () => {
  const table = tableOf({ A: [100, 110, 120] }, { opens: { A: [99, 105, Number.NaN] } })
  const decideAt = (bar: number, fillTiming: SimulationRules['fillTiming']) =>
    simulate(table, {
      startValue: 1000,
      decide: (now) => (now === bar ? Float64Array.of(1) : undefined),
      fillTiming,
      costs: freeOfCosts,
    }).trades[0]

  it('is filled at the next open', () => expect(decideAt(0, 'next_open')).toMatchObject({ bar: 1, price: 105 }))
  it('is filled at the next close where there is no open', () =>
    expect(decideAt(1, 'next_open')).toMatchObject({ bar: 2, price: 120 }))
  it('can wait for the next close', () => expect(decideAt(0, 'next_close')).toMatchObject({ bar: 1, price: 110 }))
  it('can be filled at the same close', () => expect(decideAt(0, 'same_close')).toMatchObject({ bar: 0, price: 100 }))
  it('of the last bar is no longer filled', () => expect(decideAt(2, 'next_open')).toBeUndefined())
})

describe('an account', () => {
  it('that lost everything stays at zero, and says when', () => {
    const result = simulate(tableOf({ A: [100, 60, 10, 500] }), buyAndHold([2]))
    expect([...result.values]).toEqual([10_000, 2000, 0, 0])
    expect([...result.growth]).toEqual([1, 0.2, 0, 0])
    expect([result.wipedOutAt, result.wipedOutBy]).toEqual([2, 'loss'])
  })

  it('that is emptied by a withdrawal keeps its time-weighted growth', () => {
    const flows = at(4, 2, -50_000)
    const result = simulate(tableOf({ A: [100, 110, 121, 500] }), buyAndHold([1], { flows }))
    expect(result.flows[2]).toBeCloseTo(-12_100, 9)
    expect(result.growth[3]).toBeCloseTo(1.21, 12)
    expect([result.values[3], result.wipedOutBy]).toEqual([0, 'withdrawal'])
  })

  it('buys whole shares when told to', () => {
    const { trades, cash } = simulate(tableOf({ A: [333, 333] }), buyAndHold([1], { wholeShares: true }))
    expect([trades[0]!.quantity, cash[0]]).toEqual([30, 10])
  })
})

const constant = (value: number) => Array.from({ length: 30 }, () => value)

const prices = fc.array(fc.double({ min: 20, max: 200, noNaN: true }), { minLength: 30, maxLength: 30 })

describe('for any prices', () => {
  const monthly = Uint8Array.from({ length: 30 }, (_, i) => (i % 7 === 6 ? 1 : 0))
  const rules = buyAndHold([0.5, 0.4], { rebalances: monthly, costs: tradingCosts(5) })

  it('scaling them changes nothing', () => {
    fc.assert(
      fc.property(prices, prices, fc.integer({ min: -6, max: 6 }), (a, b, power) => {
        // A power of two, so that not even the last digit may change.
        const scale = 2 ** power
        const once = simulate(tableOf({ A: a, B: b }), rules)
        const scaled = simulate(tableOf({ A: a.map((price) => price * scale), B: b.map((p) => p * scale) }), rules)
        expect(scaled.values).toEqual(once.values)
      }),
    )
  })

  it('the parts add up to the account value at every bar', () => {
    fc.assert(
      fc.property(prices, prices, fc.double({ min: -100, max: 3000, noNaN: true }), (a, b, flow) => {
        const table = tableOf({ A: a, B: b })
        const flows = Float64Array.from({ length: 30 }, (_, i) => (i % 5 === 4 ? flow : 0))
        const upTo = (bars: number) => simulate(sliceTable(table, 0, bars), { ...rules, flows: flows.slice(0, bars) })
        const { values, cash } = simulate(table, { ...rules, flows })
        for (const bars of [1, 5, 8, 30]) {
          const { quantities } = upTo(bars).holdings
          const parts = quantities[0]! * a[bars - 1]! + quantities[1]! * b[bars - 1]! + cash[bars - 1]!
          expect(Math.abs(parts - values[bars - 1]!)).toBeLessThan(0.005)
        }
      }),
    )
  })

  it('a contribution changes the value but not the time-weighted return', () => {
    fc.assert(
      fc.property(prices, prices, fc.double({ min: 1, max: 5000, noNaN: true }), (a, b, flow) => {
        const free = { ...rules, costs: freeOfCosts }
        const table = tableOf({ A: a, B: b })
        const without = simulate(table, free)
        const flows = Float64Array.from({ length: 30 }, (_, i) => (i % 5 === 4 ? flow : 0))
        const withFlows = simulate(table, { ...free, flows })
        expect(withFlows.values.at(-1)).toBeGreaterThan(without.values.at(-1)!)
        for (let bar = 0; bar < 30; bar++) expect(withFlows.growth[bar]).toBeCloseTo(without.growth[bar]!, 9)
      }),
    )
  })

  it('the past does not change when later bars are cut off', () => {
    fc.assert(
      fc.property(prices, prices, fc.integer({ min: 1, max: 30 }), (a, b, bars) => {
        const table = tableOf({ A: a, B: b })
        const cut = simulate(sliceTable(table, 0, bars), rules)
        expect(cut.values).toEqual(simulate(table, rules).values.slice(0, bars))
      }),
    )
  })
})

it('gains and loses nothing on a constant price', () => {
  const { growth } = simulate(
    tableOf({ A: constant(42), B: constant(7) }),
    buyAndHold([0.5, 0.5], { rebalances: new Uint8Array(30).fill(1) }),
  )
  expect([...growth]).toEqual(constant(1))
})

it('uses sessions of the exchange in tests', () => {
  expect(tableOf({ A: [1, 2] }, { from: '2024-01-12' }).days[1]).toBe(dateOf('2024-01-16'))
})

describe('short positions', () => {
  it('earn when the price falls, and cost the borrow rate of the value at the bar before', () => {
    const rules = buyAndHold([-0.5], { shortCost: 0.001 })
    const { values, cash, interest } = simulate(tableOf({ A: [50, 40, 40] }), rules)
    // 100 borrowed shares: $5,000 of them, then $4,000.
    expect([...values]).toEqual([10_000, 10_995, 10_991])
    expect([...cash]).toEqual([15_000, 14_995, 14_991])
    expect(interest).toBeCloseTo(9, 12)
  })
})

it('a flow in percent is one of the balance at that close', () => {
  const rules = buyAndHold([1], { flowShares: at(3, 1, -0.1) })
  const { values, flows, growth } = simulate(tableOf({ A: [50, 60, 60] }), rules)
  expect([...flows]).toEqual([0, -1200, 0])
  expect([...values]).toEqual([10_000, 10_800, 10_800])
  expect(growth[2]).toBeCloseTo(1.2, 12)
})
