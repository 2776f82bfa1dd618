import { assertWholeNumber, type Indicator, inputAt } from './indicator.ts'

/** ln(price / price n rows ago): adds up over time, which percent changes do not. */
export const logReturn: Indicator<{ readonly period: number }> = {
  id: 'log_return',
  defaults: { period: 1 },
  warmUp: ({ period }) => period,
  compute(inputs, { period }) {
    assertWholeNumber('period', period, 1)
    const price = inputAt(inputs, 0)
    return price.map((now, row) => {
      const ratio = row < period ? Number.NaN : now / price[row - period]!
      return ratio > 0 && Number.isFinite(ratio) ? Math.log(ratio) : Number.NaN
    })
  },
}
