import { varianceOf } from '../rules/risk-weights.ts'
import type { Estimates } from './estimates.ts'
import { type Limits, solveWithin } from './limits.ts'
import { leastVariance } from './methods.ts'
import type { ConvexSolver } from './solver.ts'

/** Return and volatility a year, by the estimates that the weights were found with. */
export interface FrontierPoint {
  readonly mean: number
  readonly volatility: number
  readonly weights: readonly number[]
}

/**
 * The least volatility for each mean return, from that of the least variance to the largest possible. In sample: the means and
 * risks are those that the weights were chosen by.
 */
export function efficientFrontier(
  solver: ConvexSolver,
  limits: Limits,
  estimates: Estimates,
  points: number,
): FrontierPoint[] {
  const { mean, covariance } = estimates
  const safest = leastVariance(solver, limits, covariance)
  const boldest = solveWithin(solver, limits, { cost: mean.map((value) => -value) })
  if (!safest || !boldest) return []
  const [least, most] = [pointOf(safest, estimates), pointOf(boldest, estimates)]
  if (!(most.mean > least.mean + 1e-9)) return [least]
  const between = Array.from({ length: points - 2 }, (_, i) => {
    const wanted = least.mean + ((most.mean - least.mean) * (i + 1)) / (points - 1)
    const row = { indices: [...mean.keys()], values: mean, lower: wanted, upper: Infinity }
    const weights = leastVariance(solver, limits, covariance, undefined, [row])
    return weights ? [pointOf(weights, estimates)] : []
  })
  return [least, ...between.flat(), most]
}

export const pointOf = (
  weights: Float64Array,
  { mean, covariance }: Pick<Estimates, 'mean' | 'covariance'>,
): FrontierPoint => ({
  mean: weights.reduce((sum, weight, i) => sum + weight * mean[i]!, 0),
  volatility: Math.sqrt(varianceOf([...weights], covariance)),
  weights: [...weights],
})
