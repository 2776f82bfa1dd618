import { type Figure, notAvailable } from './figure.ts'
import { mean, type Numbers } from './moments.ts'
import { excessReturns } from './returns.ts'
import { areRiskless, NO_RISK } from './riskless.ts'
import type { SharpeOptions } from './sharpe.ts'

/** Root mean square of what fell short, over all periods and not only over the bad ones; per period. */
export function downsideDeviation(excess: Numbers): number {
  let squares = 0
  for (let i = 0; i < excess.length; i++) squares += Math.min(0, excess[i]!) ** 2
  return Math.sqrt(squares / excess.length)
}

/** Mean excess over downside deviation, annualised. The risk-free return serves as the minimum acceptable one. */
export function sortino(returns: Numbers, { periodsPerYear, riskFree = 0 }: SharpeOptions): Figure {
  if (returns.length < 2) return notAvailable('it needs at least two returns')
  const excess = excessReturns(returns, riskFree)
  const downside = downsideDeviation(excess)
  if (downside <= 1e-12) return notAvailable('no return fell short')
  if (areRiskless(returns, riskFree, periodsPerYear)) return notAvailable(NO_RISK)
  return (mean(excess) / downside) * Math.sqrt(periodsPerYear)
}
