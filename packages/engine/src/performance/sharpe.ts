import { type Figure, notAvailable } from './figure.ts'
import { isConstant, mean, type Numbers, sampleDeviation } from './moments.ts'
import { excessReturns } from './returns.ts'
import { areRiskless, NO_RISK } from './riskless.ts'

export interface SharpeOptions {
  readonly periodsPerYear: number
  /** Per period, not per year. */
  readonly riskFree?: Numbers | number
}

/** mean / sample standard deviation (ddof 1) of the excess returns, times the root of the periods a year. */
export function sharpe(returns: Numbers, { periodsPerYear, riskFree = 0 }: SharpeOptions): Figure {
  if (returns.length < 2) return notAvailable('it needs at least two returns')
  const excess = excessReturns(returns, riskFree)
  if (isConstant(excess)) return notAvailable('the returns do not vary')
  if (areRiskless(returns, riskFree, periodsPerYear)) return notAvailable(NO_RISK)
  return (mean(excess) / sampleDeviation(excess)) * Math.sqrt(periodsPerYear)
}
