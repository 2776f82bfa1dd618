import { assertWholeNumber, type Indicator, inputAt } from './indicator.ts'

/** TA-Lib's ROCP: price / price n rows ago - 1. */
export const percentChange: Indicator<{ readonly period: number }> = {
  id: 'pct_change',
  defaults: { period: 1 },
  warmUp: ({ period }) => period,
  compute(inputs, { period }) {
    assertWholeNumber('period', period, 1)
    const price = inputAt(inputs, 0)
    return price.map((now, row) => (row < period ? Number.NaN : changeFrom(price[row - period]!, now)))
  },
}

/** What was zero has no percent change, and of what was negative it would have the wrong sign. */
const changeFrom = (before: number, now: number): number =>
  before > 0 && Number.isFinite(now) ? now / before - 1 : Number.NaN
