/** Weights by volatilities and correlations. Matrices are by row; all weights are 0 or more and add up to 1. */

const MAX_ROUNDS = 10_000
const CONVERGED = 1e-14
/**
 * A fraction of the largest variance, added on the diagonal: two tickers that move as one would leave the weights open.
 */
export const RIDGE = 1e-10

export function inverseVolatilityWeights(volatilities: readonly number[]): number[] {
  return normalised(volatilities.map((volatility) => 1 / volatility))
}

export function covarianceOf(
  volatilities: readonly number[],
  correlation: (a: number, b: number) => number,
): Float64Array[] {
  return volatilities.map((own, a) =>
    Float64Array.from(volatilities, (other, b) => own * other * (a === b ? 1 : correlation(a, b))),
  )
}

export function varianceOf(weights: ArrayLike<number>, covariance: readonly Float64Array[]): number {
  let variance = 0
  for (let a = 0; a < weights.length; a++) {
    for (let b = 0; b < weights.length; b++) variance += weights[a]! * weights[b]! * covariance[a]![b]!
  }
  return Math.max(0, variance)
}

/**
 * Equal contributions to the variance, by cyclical coordinate descent on w'Cw/2 - sum(ln w): each step solves the
 * quadratic equation of one weight. Griveau-Billion, Richard and Roncalli, "A fast algorithm for computing
 * high-dimensional risk parity portfolios", 2013. The function is strictly convex, so the start does not matter.
 */
export function riskParityWeights(given: readonly Float64Array[]): number[] {
  const covariance = scaled(given, 0)
  const weights = covariance.map((row, i) => 1 / Math.sqrt(row[i]!))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let change = 0
    for (let i = 0; i < weights.length; i++) {
      const own = covariance[i]![i]!
      const others = product(covariance[i]!, weights) - own * weights[i]!
      const next = (Math.sqrt(others * others + 4 * own) - others) / (2 * own)
      change = Math.max(change, Math.abs(next - weights[i]!) / next)
      weights[i] = next
    }
    if (change < CONVERGED) break
  }
  return normalised(weights)
}

/**
 * The least variance without short positions. Weights in proportion to those that maximise sum(w) - w'Cw/2 with w >= 0 are
 * the same, and these are found in finitely many steps by an active set (Lawson and Hanson, "Solving least squares
 * problems", 1974, chapter 23).
 */
export function minimumVarianceWeights(given: readonly Float64Array[]): number[] {
  const covariance = scaled(given, RIDGE)
  const size = covariance.length
  const weights = new Float64Array(size)
  const isFree = Array.from({ length: size }, () => false)
  for (let step = 0; step < 3 * size + 10; step++) {
    const gradient = covariance.map((row) => 1 - product(row, weights))
    let entering = -1
    for (let i = 0; i < size; i++) {
      if (!isFree[i] && gradient[i]! > 1e-12 && (entering < 0 || gradient[i]! > gradient[entering]!)) entering = i
    }
    if (entering < 0) break
    isFree[entering] = true
    stepInside(covariance, weights, isFree)
  }
  return normalised([...weights])
}

/** Goes to the best point of the free weights, or as far as they stay positive; those that become 0 are free no more. */
function stepInside(covariance: readonly Float64Array[], weights: Float64Array, isFree: boolean[]): void {
  for (;;) {
    const free = [...isFree.keys()].filter((i) => isFree[i])
    const best = solve(free.map((a) => Float64Array.from(free, (b) => covariance[a]![b]!)))
    let fraction = 1
    free.forEach((i, k) => {
      if (best[k]! <= 0) fraction = Math.min(fraction, weights[i]! / (weights[i]! - best[k]!))
    })
    free.forEach((i, k) => {
      weights[i]! += fraction * (best[k]! - weights[i]!)
      if (fraction < 1 && best[k]! <= 0 && weights[i]! <= 1e-15) {
        weights[i] = 0
        isFree[i] = false
      }
    })
    if (fraction === 1) return
  }
}

/** x of Ax = (1, ..., 1) for a symmetric positive definite A, by elimination. */
function solve(matrix: Float64Array[]): Float64Array {
  const size = matrix.length
  const x = new Float64Array(size).fill(1)
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = pivot + 1; row < size; row++) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!
      for (let column = pivot; column < size; column++) matrix[row]![column]! -= factor * matrix[pivot]![column]!
      x[row]! -= factor * x[pivot]!
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let column = row + 1; column < size; column++) x[row]! -= matrix[row]![column]! * x[column]!
    x[row]! /= matrix[row]![row]!
  }
  return x
}

/** The largest variance as 1, so that tolerances mean the same for all, and so much more on the diagonal. */
export function scaled(covariance: readonly Float64Array[], ridge: number): Float64Array[] {
  const largest = Math.max(...covariance.map((row, i) => row[i]!))
  return covariance.map((row, i) => row.map((value, k) => value / largest + (i === k ? ridge : 0)))
}

function product(row: Float64Array, weights: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += row[i]! * weights[i]!
  return sum
}

function normalised(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}
