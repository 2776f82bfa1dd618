import { type Figure, notAvailable } from './figure.ts'
import { mean, type Numbers } from './moments.ts'
import type { Trade } from '../trading/trade-log.ts'

const DAYS_PER_YEAR = 365.25

/**
 * How much of the account is exchanged in a year: half of what was bought and sold after the first bar, over the
 * average value. 1 means that everything was sold once and something else was bought for it.
 */
export function turnover(trades: readonly Trade[], values: Numbers, days: number): Figure {
  const average = mean(values)
  if (!(days > 0)) return notAvailable('the period has no length')
  if (!(average > 0)) return notAvailable('there was nothing to trade')
  const exchanged = trades.reduce(
    (sum, { bar, quantity, price }) => (bar > 0 ? sum + Math.abs(quantity) * price : sum),
    0,
  )
  return (exchanged / 2 / average) * (DAYS_PER_YEAR / days)
}
