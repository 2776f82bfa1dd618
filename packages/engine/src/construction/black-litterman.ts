import { solveLinear } from '../performance/linear-solve.ts'

/** An opinion that some assets will earn so much a year, or so much more than others. */
export interface View {
  /** By asset: 1 in all for an absolute view, 0 in all for one asset against another. */
  readonly weights: Float64Array
  /** A year. */
  readonly expected: number
  /** From 0 (a guess) to 1 (certain), without the ends. 0.5: as sure as of the starting returns. */
  readonly confidence: number
}

interface Prior {
  readonly covariance: readonly Float64Array[]
  /** Weights that would be right without views. */
  readonly weights: Float64Array
  readonly riskAversion: number
  /** Uncertainty of the starting returns, as a part of the covariance. */
  readonly tau: number
}

/**
 * Starting returns are those under which the weights of the prior are right: risk aversion times covariance times weights. The
 * noise of a view is (1 - c) / c times its own variance times tau ("The intuition behind Black-Litterman model
 * portfolios", Goldman Sachs 1999, for c of one half). Posterior covariance is that of returns: the covariance and the uncertainty of their mean.
 */
export function blackLitterman({ covariance, weights, riskAversion, tau }: Prior, views: readonly View[]) {
  const times = (vector: Float64Array) =>
    Float64Array.from(covariance, (row) => row.reduce((sum, value, i) => sum + value * vector[i]!, 0))
  const prior = times(weights).map((value) => riskAversion * value)
  if (views.length === 0) {
    return { prior, mean: prior, covariance: covariance.map((row) => row.map((value) => value * (1 + tau))) }
  }
  // tau C P', by view.
  const pulls = views.map((view) => times(view.weights).map((value) => tau * value))
  const noise = views.map((view, i) => (dot(view.weights, pulls[i]!) * (1 - view.confidence)) / view.confidence)
  const middle = views.map((view, i) =>
    Float64Array.from(pulls, (pull, j) => dot(view.weights, pull) + (i === j ? noise[i]! : 0)),
  )
  const gaps = Float64Array.from(views, (view) => view.expected - dot(view.weights, prior))
  const steps = solveLinear(middle, gaps)
  const mean = prior.map((value, i) => value + pulls.reduce((sum, pull, k) => sum + pull[i]! * steps[k]!, 0))
  const columns = Array.from(prior, (_, j) =>
    solveLinear(
      middle,
      Float64Array.from(pulls, (pull) => pull[j]!),
    ),
  )
  return {
    prior,
    mean,
    covariance: covariance.map((row, i) =>
      row.map((value, j) => value * (1 + tau) - pulls.reduce((sum, pull, k) => sum + pull[i]! * columns[j]![k]!, 0)),
    ),
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
