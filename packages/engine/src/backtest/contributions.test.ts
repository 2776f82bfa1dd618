import { describe, expect, it } from 'vitest'
import { tradingCosts } from '../trading/costs.ts'
import { simulate } from '../trading/simulation.ts'
import { contributions } from './contributions.ts'

const close = [Float64Array.of(100, 110, 99, 120), Float64Array.of(50, 50, 55, 44)]
const prices = {
  tickers: ['A', 'B'],
  timestamps: Float64Array.of(0, 1, 2, 3),
  days: Int32Array.of(0, 1, 2, 3),
  open: close,
  close,
  dividends: [Float64Array.of(0, 0, 2, 0), undefined],
}

function run(costBps: number, weights: readonly number[], flows?: Float64Array) {
  const result = simulate(prices, {
    startValue: 1000,
    decide: (bar) => (bar === 0 ? Float64Array.from(weights) : undefined),
    fillTiming: 'same_close',
    costs: tradingCosts(costBps),
    rebalances: Uint8Array.of(0, 1, 0, 0),
    borrowingCosts: new Float64Array(4).fill(0.001),
    ...(flows && { flows }),
  })
  return { result, parts: contributions({ prices, result, startValue: 1000, lived: 4, barsPerYear: 252 }) }
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

describe('contributions of assets', () => {
  it('are the dollars that each earned where nothing is compounded', () => {
    const { parts } = run(0, [0.5, 0])
    // Five shares from 100 to 110; half of what there is then, 1050 / 2 / 110 shares, falls to 99, pays 2 and rises to 120.
    expect(parts.assets).toHaveLength(1)
    expect(parts.assets[0]!.toReturn * 1000).toBeCloseTo(50 + (525 / 110) * (120 - 110 + 2), 9)
    expect(parts.rest.toReturn).toBeCloseTo(0, 12)
  })

  it('add up to the total return and the volatility, with costs, interest and flows', () => {
    const { result, parts } = run(10, [0.9, 0.6], Float64Array.of(0, 300, 0, 0))
    expect(sum(parts.assets.map(({ toReturn }) => toReturn)) + parts.rest.toReturn).toBeCloseTo(
      parts.total.toReturn,
      14,
    )
    expect(parts.total.toReturn).toBe(result.growth.at(-1)! - 1)
    const volatilities = parts.assets.map(({ toVolatility }) => toVolatility)
    expect(sum(volatilities) + parts.rest.toVolatility).toBeCloseTo(parts.total.toVolatility, 14)
  })

  it('leave to the rest exactly what was paid in fees and interest', () => {
    const { result, parts } = run(10, [0.9, 0.6])
    const before = (bar: number) => (bar === 0 ? 1000 : result.values[bar - 1]!)
    const dollar = (bar: number) => (bar === 0 ? 1 : result.growth[bar - 1]!)
    const fees = sum(result.trades.map(({ bar, fee }) => (fee / before(bar)) * dollar(bar)))
    const interest = [1, 2, 3].map((bar) => ((-result.cash[bar - 1]! * 0.001) / before(bar)) * dollar(bar))
    expect(parts.rest.toReturn).toBeCloseTo(-fees - sum(interest), 12)
  })
})
