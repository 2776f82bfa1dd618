import { dateOf, dayStamp } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import type { SeriesTable } from '../market/series.ts'
import { benchmarkGrowth } from './relative-figures.ts'

const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'].map(dateOf)
const nan = Number.NaN
const table: SeriesTable = {
  ticker: 'SPY',
  granularity: '1d',
  type: 'security',
  currency: 'USD',
  timestamps: Float64Array.from(days, dayStamp),
  columns: {
    close: Float64Array.of(100, 98, 50, 51),
    dividend: Float64Array.of(nan, 2, nan, nan),
    split: Float64Array.of(nan, nan, 2, nan),
  },
  sources: [],
}

it('reinvests dividends and sees through splits', () => {
  const { growth, totalReturn } = benchmarkGrowth(table, days)
  expect(growth[1]).toBeCloseTo(1, 12)
  expect(growth[2]).toBeCloseTo(100 / 98, 12)
  expect(totalReturn).toBeCloseTo(102 / 98 - 1, 12)
})

it('takes the price before on a day without one, but none that is old', () => {
  const { growth } = benchmarkGrowth(table, [days[0]!, days[3]! + 2, days[3]! + 30])
  expect(growth[1]).toBeCloseTo(102 / 98, 12)
  expect(growth[2]).toBeNaN()
})

it('says why there is nothing to compare with', () => {
  expect(benchmarkGrowth(undefined, days).totalReturn).toEqual({ notAvailable: 'there are no prices for these dates' })
  expect(benchmarkGrowth(table, [days[0]! - 5, days[1]!]).totalReturn).toEqual({
    notAvailable: 'there is no price for 2023-12-28',
  })
})
