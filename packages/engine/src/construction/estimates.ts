import type { Column } from '@tradewright/core/column'
import type { CovarianceEstimator } from '@tradewright/core/construction-catalogue'
import { mean } from '../performance/moments.ts'

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
