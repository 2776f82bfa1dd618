import type { Column } from '@tradewright/core/column'
import type { Numbers } from './moments.ts'

/** One return per step: a curve of n values has n - 1 of them. */
export function simpleReturns(values: Numbers): Column {
  const returns = new Float64Array(Math.max(0, values.length - 1))
  for (let i = 1; i < values.length; i++) {
    const before = values[i - 1]!
    // Nothing is earned on nothing: a wiped-out account stays at zero. A price below zero has no return either.
    returns[i - 1] = before <= 0 ? 0 : values[i]! / before - 1
  }
  return returns
}

/** The curve of one unit invested before the first return: n returns give n + 1 values. */
export function growthOf(returns: Numbers): Column {
  const values = new Float64Array(returns.length + 1)
  values[0] = 1
  for (let i = 0; i < returns.length; i++) values[i + 1] = values[i]! * (1 + returns[i]!)
  return values
}

/** Returns over a risk-free return of the same periods: one rate for all of them, or one each. */
export function excessReturns(returns: Numbers, riskFree: Numbers | number): Column {
  const excess = new Float64Array(returns.length)
  for (let i = 0; i < returns.length; i++) {
    excess[i] = returns[i]! - (typeof riskFree === 'number' ? riskFree : riskFree[i]!)
  }
  return excess
}
