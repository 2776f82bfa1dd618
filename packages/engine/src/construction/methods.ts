import type { ConstructionMethodId, CovarianceEstimator } from '@tradewright/core/construction-catalogue'
import type { Column } from '@tradewright/core/column'
import { inverseVolatilityWeights, RIDGE, riskParityWeights, scaled } from '../rules/risk-weights.ts'
import {
  type Limits,
  nearestWithin,
  solveWithin,
  tidied,
  type Turnover,
  type ConvexSolver,
  type LinearRow,
} from './limits.ts'
import { solveLinear } from '../performance/regression.ts'
import { mean } from '../performance/statistics.ts'

/** What a method finds weights from. */
export interface ConstructionInput {
  readonly estimates: Estimates
  readonly limits: Limits
  /** Undefined: everything may be exchanged. */
  readonly turnover?: Turnover | undefined
  /** By the keys of the catalogue. */
  readonly parameters: Readonly<Record<string, number>>
  /** Weights that would be right without views, and what is known beside them. */
  readonly prior: Float64Array
  readonly views: readonly View[]
  readonly solver: ConvexSolver
}

/** Undefined where the turnover leaves no weights that meet the limits. */
type Solve = (input: ConstructionInput) => Float64Array | undefined

/** One more method is one more entry here and in core/construction-catalogue.ts. */
export const SOLVE: Readonly<Record<ConstructionMethodId, Solve>> = {
  equal: ({ estimates: { mean } }) => new Float64Array(mean.length).fill(1 / mean.length),
  inverse_volatility: nearest(({ covariance }) =>
    Float64Array.from(inverseVolatilityWeights(covariance.map((row, i) => Math.sqrt(row[i]!)))),
  ),
  min_variance: ({ estimates, limits, turnover, solver }) =>
    leastVariance(solver, limits, estimates.covariance, turnover),
  mean_variance: ({ estimates, limits, turnover, parameters, solver }) =>
    bestUtility(solver, limits, estimates, parameters['risk_aversion']!, turnover),
  max_diversification: maxDiversification,
  risk_parity: nearest(({ covariance }) => Float64Array.from(riskParityWeights(covariance))),
  hierarchical_risk_parity: nearest(({ covariance }) => hierarchicalRiskParity(covariance)),
  min_cvar: leastCvar,
  black_litterman: ({ estimates, limits, turnover, parameters, prior, views, solver }) => {
    const riskAversion = parameters['risk_aversion']!
    const { covariance } = estimates
    const posterior = blackLitterman({ covariance, weights: prior, riskAversion, tau: parameters['tau']! }, views)
    return bestUtility(solver, limits, posterior, riskAversion, turnover)
  },
}

/** A method that knows no limits of its own. */
function nearest(weigh: (estimates: Estimates) => Float64Array): Solve {
  return ({ estimates, limits, turnover, solver }) => nearestWithin(solver, limits, weigh(estimates), turnover)
}

/** `rows`: conditions besides the limits, such as a least return. */
export function leastVariance(
  solver: ConvexSolver,
  limits: Limits,
  covariance: readonly Float64Array[],
  turnover?: Turnover,
  rows: readonly LinearRow[] = [],
): Float64Array | undefined {
  const hessian = scaled(covariance, RIDGE)
  return solveWithin(solver, limits, { cost: new Float64Array(hessian.length), hessian, rows }, turnover)
}

type Moments = Pick<Estimates, 'mean' | 'covariance'>

/** The most of mean'w - aversion / 2 w'Cw. */
function bestUtility(
  solver: ConvexSolver,
  limits: Limits,
  { mean, covariance }: Moments,
  riskAversion: number,
  turnover: Turnover | undefined,
): Float64Array | undefined {
  const unit = riskAversion * Math.max(...covariance.map((row, i) => row[i]!))
  return solveWithin(
    solver,
    limits,
    { cost: mean.map((value) => -value / unit), hessian: scaled(covariance, RIDGE) },
    turnover,
  )
}

/**
 * The most of w's / sqrt(w'Cw) with volatilities s: the ratio does not depend on the size of w, so it is the least of y'Cy
 * with y's = 1, and w = y / sum(y). Limits on w become limits on y in units of its sum.
 */
function maxDiversification({ estimates, limits, turnover, solver }: ConstructionInput): Float64Array | undefined {
  const size = estimates.mean.length
  const hessian = scaled(estimates.covariance, RIDGE)
  const all = Array.from({ length: size }, (_, i) => i)
  /** coefficients'y - limit sum(y) within [lower, upper]. */
  const row = (members: readonly number[], limit: number, [lower, upper]: [number, number], more: number[][] = []) => ({
    indices: [...all, ...more.map(([index]) => index!)],
    values: [...all.map((i) => (members.includes(i) ? 1 : 0) - limit), ...more.map(([, value]) => value!)],
    lower,
    upper,
  })
  const { lower, upper, groups } = limits
  const rows: LinearRow[] = [
    { indices: all, values: hessian.map((line, i) => Math.sqrt(line[i]!)), lower: 1, upper: 1 },
    ...all.flatMap((i) => [
      ...(upper[i]! < 1 ? [row([i], upper[i]!, [-Infinity, 0])] : []),
      ...(lower[i]! > 0 ? [row([i], lower[i]!, [0, Infinity])] : []),
    ]),
    ...groups.map(({ members, max }) => row(members, max, [-Infinity, 0])),
    ...groups.map(({ members, min }) => row(members, min, [0, Infinity])),
    ...(turnover
      ? [
          ...all.map((i) => row([i], turnover.held[i]!, [-Infinity, 0], [[size + i, -1]])),
          row(
            [],
            turnover.max,
            [-Infinity, 0],
            all.map((i) => [size + i, 1]),
          ),
        ]
      : []),
  ]
  const variables = turnover ? 2 * size : size
  const found = solver.solve({
    cost: new Float64Array(variables),
    hessian,
    lower: new Float64Array(variables),
    upper: new Float64Array(variables).fill(Infinity),
    rows,
  })
  if (!found) return undefined
  const scale = found.subarray(0, size).reduce((sum, value) => sum + value, 0)
  return tidied(
    found.subarray(0, size).map((value) => value / scale),
    limits,
  )
}

/**
 * The least of a + mean(max(0, loss - a)) / (1 - confidence) over the weights and a, as a linear program: Rockafellar and Uryasev,
 * "Optimization of conditional value-at-risk", 2000. Losses are in percent, so that all numbers are near 1.
 */
function leastCvar({ estimates, limits, turnover, parameters, solver }: ConstructionInput): Float64Array | undefined {
  const { returns } = estimates
  const [size, bars] = [returns.length, returns[0]!.length]
  const tail = 1 - parameters['confidence_pct']! / 100
  const cost = new Float64Array(size + 1 + bars).fill(1 / (tail * bars), size + 1)
  cost[size] = 1
  const lower = new Float64Array(1 + bars)
  lower[0] = -Infinity
  const members = Array.from({ length: size + 1 }, (_, i) => i)
  const rows = Array.from({ length: bars }, (_, bar) => ({
    indices: [...members, size + 1 + bar],
    values: [...returns.map((column) => 100 * column[bar]!), 1, 1],
    lower: 0,
    upper: Infinity,
  }))
  return solveWithin(
    solver,
    limits,
    { cost, further: { lower, upper: new Float64Array(1 + bars).fill(Infinity) }, rows },
    turnover,
  )
}

/**
 * Hierarchical risk parity: M. López de Prado, "Building diversified portfolios that outperform out of sample", Journal of
 * Portfolio Management, 2016. Matrices are by row.
 */
export function hierarchicalRiskParity(covariance: readonly Float64Array[]): Float64Array {
  const weights = new Float64Array(covariance.length).fill(1)
  divide(covariance, leafOrder(covariance), weights)
  return weights
}

/** Divides what a run of neighbours has between its halves by the inverse of their variances, and so on down. */
function divide(covariance: readonly Float64Array[], run: readonly number[], weights: Float64Array): void {
  if (run.length < 2) return
  const halves = [run.slice(0, run.length >> 1), run.slice(run.length >> 1)] as const
  const [first, second] = [clusterVariance(covariance, halves[0]), clusterVariance(covariance, halves[1])]
  // Two halves without risk share evenly.
  const share = first + second > 0 ? second / (first + second) : 0.5
  for (const i of halves[0]) weights[i]! *= share
  for (const i of halves[1]) weights[i]! *= 1 - share
  divide(covariance, halves[0], weights)
  divide(covariance, halves[1], weights)
}

/** The variance of a cluster whose members are weighted by the inverse of their variances. */
function clusterVariance(covariance: readonly Float64Array[], members: readonly number[]): number {
  const inverse = members.map((i) => 1 / covariance[i]![i]!)
  const sum = inverse.reduce((total, one) => total + one, 0)
  let variance = 0
  members.forEach((i, a) =>
    members.forEach((j, b) => (variance += (inverse[a]! / sum) * (inverse[b]! / sum) * covariance[i]![j]!)),
  )
  return variance
}

/** The assets in the order of the tree, so that those that move alike stand side by side. */
export function leafOrder(covariance: readonly Float64Array[]): number[] {
  const distance = columnDistances(correlationDistances(covariance))
  // By the number of a cluster: its leaves. Numbers of joined clusters go on after those of the assets.
  const clusters = new Map<number, number[]>(covariance.map((_, i) => [i, [i]]))
  for (let next = covariance.length; clusters.size > 1; next++) {
    const [first, second] = closest(clusters, distance)
    const joined = [...clusters.get(first)!, ...clusters.get(second)!]
    clusters.delete(first)
    clusters.delete(second)
    clusters.set(next, joined)
  }
  return [...clusters.values()][0] ?? []
}

/** Single linkage: the two clusters with the nearest members, the lower number first. */
function closest(
  clusters: ReadonlyMap<number, readonly number[]>,
  distance: readonly Float64Array[],
): [number, number] {
  let best: [number, number] = [-1, -1]
  let least = Infinity
  const numbers = [...clusters.keys()]
  numbers.forEach((a, at) => {
    for (const b of numbers.slice(at + 1)) {
      for (const i of clusters.get(a)!) {
        for (const j of clusters.get(b)!) {
          if (distance[i]![j]! < least) {
            least = distance[i]![j]!
            best = [Math.min(a, b), Math.max(a, b)]
          }
        }
      }
    }
  })
  return best
}

function correlationDistances(covariance: readonly Float64Array[]): Float64Array[] {
  const deviations = covariance.map((row, i) => Math.sqrt(row[i]!))
  return covariance.map((row, i) =>
    row.map((value, j) => {
      const correlation = i === j ? 1 : value / (deviations[i]! * deviations[j]!)
      return Math.sqrt(Math.max(0, (1 - correlation) / 2))
    }),
  )
}

/** How differently two assets stand to all others. */
const columnDistances = (rows: readonly Float64Array[]): Float64Array[] =>
  rows.map((a) => Float64Array.from(rows, (b) => Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]!) ** 2, 0))))

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

/** What is known of the assets at a rebalance, a year. */
export interface Estimates {
  readonly mean: Float64Array
  /** By row. */
  readonly covariance: readonly Float64Array[]
  /** How far the covariance was drawn to its target, from 0 to 1. */
  readonly shrinkage: number
  /** By asset: the returns of each bar of the window. */
  readonly returns: readonly Column[]
}

/** From the returns of each asset over the same bars. */
export function estimate(returns: readonly Column[], estimator: CovarianceEstimator, barsPerYear: number): Estimates {
  const centers = returns.map(mean)
  const centered = returns.map((column, i) => column.map((value) => value - centers[i]!))
  const { covariance, shrinkage } =
    estimator === 'sample'
      ? { covariance: products(centered, returns[0]!.length - 1), shrinkage: 0 }
      : ledoitWolf(centered)
  return {
    mean: Float64Array.from(centers, (one) => one * barsPerYear),
    covariance: covariance.map((row) => row.map((value) => value * barsPerYear)),
    shrinkage,
    returns,
  }
}

/** Sums of products over `divisor`. */
function products(centered: readonly Column[], divisor: number): Float64Array[] {
  const covariance = centered.map(() => new Float64Array(centered.length))
  centered.forEach((a, i) => {
    for (let j = i; j < centered.length; j++) {
      const b = centered[j]!
      let sum = 0
      for (let bar = 0; bar < a.length; bar++) sum += a[bar]! * b[bar]!
      covariance[i]![j] = covariance[j]![i] = sum / divisor
    }
  })
  return covariance
}

/**
 * (1 - s) S + s m I with S the population covariance, m its mean variance, and s the least expected squared error. Ledoit
 * and Wolf, "A well-conditioned estimator for large-dimensional covariance matrices", 2004, as scikit-learn has it.
 */
function ledoitWolf(centered: readonly Column[]): { covariance: Float64Array[]; shrinkage: number } {
  const [size, bars] = [centered.length, centered[0]!.length]
  const sample = products(centered, bars)
  let trace = 0
  sample.forEach((row, i) => (trace += row[i]!))
  const level = trace / size
  // Sums over pairs of assets: of the squared products of each bar, and of the covariances.
  let [noise, squares] = [0, 0]
  for (let bar = 0; bar < bars; bar++) {
    let own = 0
    for (let i = 0; i < size; i++) own += centered[i]![bar]! ** 2
    noise += own * own
  }
  for (const row of sample) for (const value of row) squares += value * value
  const error = (noise / bars - squares) / size / bars
  const distance = (squares - (2 * level * trace - size * level * level)) / size
  const shrinkage = distance <= 0 ? 0 : Math.min(error, distance) / distance
  return {
    covariance: sample.map((row, i) =>
      row.map((value, j) => (1 - shrinkage) * value + (i === j ? shrinkage * level : 0)),
    ),
    shrinkage,
  }
}
