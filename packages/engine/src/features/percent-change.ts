import { assertWholeNumber, type Indicator, inputAt } from './indicator.ts'

/** TA-Lib's ROCP: price / price n rows ago - 1. */
export const percentChange: Indicator<{ readonly period: number }> = {
  id: 'pct_change',
  defaults: { period: 1 },
  warmUp: ({ period }) => period,
  compute(inputs, { period }) {
    assertWholeNumber('period', period, 1)
    const price = inputAt(inputs, 0)
    return price.map((now, row) => (row < period ? Number.NaN : finite(now / price[row - period]! - 1)))
  },
}

/** A value that was zero has no percent change. */
const finite = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)
