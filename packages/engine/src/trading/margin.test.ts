import { expect, it } from 'vitest'
import { tradingCosts } from './costs.ts'
import { maintenanceOf, marginWarning, requirementWords } from './margin.ts'
import type { PriceTable } from './price-table.ts'
import { simulate, simulateFast } from './simulation.ts'
import type { SimulationRules } from './simulation-rules.ts'

const table = (...columns: number[][]): PriceTable => {
  const bars = columns[0]!.length
  return {
    tickers: columns.map((_, i) => (i === 0 ? 'SPY' : 'TLT')),
    timestamps: Float64Array.from({ length: bars }, (_, bar) => bar * 86_400_000),
    days: Int32Array.from({ length: bars }, (_, bar) => bar),
    open: columns.map((column) => new Float64Array(column.length).fill(Number.NaN)),
    close: columns.map((column) => Float64Array.from(column)),
    dividends: columns.map(() => undefined),
  }
}

const rulesFor = (prices: PriceTable, weights: number[], changes: Partial<SimulationRules> = {}): SimulationRules => ({
  startValue: 10_000,
  decide: (bar) => (bar === 0 ? Float64Array.from(weights) : undefined),
  fillTiming: 'same_close',
  costs: tradingCosts(0, 0),
  ...(maintenanceOf(prices.tickers, 'us') && { maintenance: maintenanceOf(prices.tickers, 'us')! }),
  ...changes,
})

/** 100 falls by 1 a bar to 70 and comes back. */
const fallAndRise = [...Array.from({ length: 31 }, (_, i) => 100 - i), ...Array.from({ length: 30 }, (_, i) => 71 + i)]

it('does not let three times an asset come through a fall of 30 %', () => {
  const prices = table(fallAndRise)
  const { values, forcedSales, trades } = simulateFast(prices, rulesFor(prices, [3]))
  // Without a requirement the position is worth as much as at the start, and so is the account.
  expect(simulate(prices, { ...rulesFor(prices, [3]), maintenance: undefined! }).values.at(-1)).toBeCloseTo(10_000, 6)
  expect(values.at(-1)).toBeLessThan(8_000)
  // Equity of 3 p - 200 is below a quarter of 3 p from p = 88 on, and sold at the price of the next bar.
  expect(forcedSales[0]!.bar).toBe(12)
  expect(trades[1]).toMatchObject({ bar: 13, price: 87 })
})

it('sells as much as leaves what is kept covered, costs included', () => {
  const prices = table([100, 100, 86, 86, 86])
  const { trades, cash, values, forcedSales } = simulate(prices, rulesFor(prices, [3], { costs: tradingCosts(10, 5) }))
  const position = values[3]! - cash[3]!
  expect(values[3]! / position).toBeCloseTo(0.25, 9)
  expect(trades).toHaveLength(2)
  expect(trades[1]!.fee).toBeCloseTo((Math.abs(trades[1]!.quantity) * 86 * 10) / 10_000 + 5, 9)
  expect(forcedSales).toEqual([{ bar: 2, value: -trades[1]!.quantity * 86 }])
})

it('sells nothing where the next price covers the positions again', () => {
  const prices = table([100, 100, 86, 95, 95])
  expect(simulate(prices, rulesFor(prices, [3])).forcedSales).toEqual([])
})

it('buys back shares that were sold short when they rise', () => {
  const prices = table([100, 100, 190, 190], [100, 100, 100, 100])
  const { trades, forcedSales } = simulate(prices, rulesFor(prices, [-0.9, 0.5]))
  expect(forcedSales).toHaveLength(1)
  const bought = trades.find(({ bar, ticker }) => bar === 3 && ticker === 'SPY')!
  expect(bought.quantity).toBeGreaterThan(0)
})

it('changes no digit of an account that stays above its requirement', () => {
  const prices = table([100, 101, 99, 103, 102, 104])
  const rules = rulesFor(prices, [1.5], { borrowingCosts: new Float64Array(6).fill(0.0001) })
  const { maintenance: _, ...without } = rules
  expect(simulateFast(prices, rules).values).toEqual(simulateFast(prices, without).values)
})

it('knows the requirement of each kind of ticker, and takes one of the user’s own', () => {
  const { long, short } = maintenanceOf(['SPY', 'SPY?L=3', 'BTC-USD', 'CL=F', 'TBILLX'], 'us')!
  expect([...long]).toEqual([0.25, 0.75, 1, 0.1, 0])
  expect(short[0]).toBe(0.3)
  expect([...maintenanceOf(['SPY', 'CASHX'], 40)!.long]).toEqual([0.4, 0])
  expect(maintenanceOf(['SPY'], 'off')).toBeUndefined()
  expect(requirementWords(['SPY', 'BTC-USD'], 'us')).toBe('SPY 25 % held, 30 % short; BTC-USD 100 %')
})

it('warns of a broker’s sale before it comes', () => {
  const long = (equity: number, borrowed: number) =>
    marginWarning(equity, [{ ticker: 'SPY', marketValue: equity + borrowed }])
  expect(long(10_000, 0)).toBeUndefined()
  expect(long(10_000, 10_000)).toBeUndefined()
  // Twice the money after a fall of 28 %: 4,400 of 14,400, which needs 3,600.
  expect(long(4_400, 10_000)).toBe(
    'It holds $4,400.00 of its own, and US brokers require about $3,600.00 for its positions: after a further loss of about ' +
      '5.6 % of its positions the broker may sell some.',
  )
  expect(long(3_000, 10_000)).toContain('the broker may sell positions at any time')
  expect(marginWarning(1_000, [{ ticker: 'SPY', marketValue: -3_000 }])).toContain('US brokers require about $900.00')
})
