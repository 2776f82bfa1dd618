import type { Column } from '@tradewright/core/column'
import { isConstant, mean, sampleDeviation, twoSidedPValue, correlationPValue } from './statistics.ts'
import { correlationOf } from '../features/formulas.ts'
import { isAvailable } from './figure.ts'
import { sharpe } from './risk-adjusted-return.ts'

interface Term {
  readonly coefficient: number
  /** Robust to changing variance and to returns that depend on those before (HAC). */
  readonly error: number
  /** Both are null where the fit is exact: then the errors are rounding, and so is what they are divided by. */
  readonly t: number | null
  readonly pValue: number | null
}

export interface Regression {
  readonly n: number
  /** Lags of the Newey-West errors. */
  readonly lags: number
  /** The intercept. */
  readonly alpha: Term
  /** In the order of the factors. */
  readonly loadings: readonly Term[]
  readonly rSquared: number
  readonly adjustedRSquared: number
  /** Per period. */
  readonly residualDeviation: number
}

/** Why there is none, as the end of "n/a because …". */
interface NoRegression {
  readonly notAvailable: string
}

export const isRegression = (found: Regression | NoRegression): found is Regression => !('notAvailable' in found)

/** Newey and West's rule of thumb, 4 (n / 100)^(2/9). */
export const neweyWestLags = (n: number): number => Math.floor(4 * (n / 100) ** (2 / 9))

/** Observations beyond the number of terms. */
const MIN_FREE = 10
/** Below this the rest of a column, once those before it are taken out, is rounding. */
const COLLINEAR = 1e-8
/** Least deviation of a factor's returns. Below it the factor varies by rounding alone, and its loading would be in the millions. */
const MIN_DEVIATION = 1e-8

/** The fraction of the variance that rounding leaves where factors explain all of y. */
const EXACT = 1e-20

/**
 * Least squares of y on a constant and the factors, with the errors of Newey and West ("A simple, positive semi-definite,
 * heteroskedasticity and autocorrelation consistent covariance matrix", 1987): Bartlett weights, corrected for the number of terms,
 * p-values by Student's t. As statsmodels has it with cov_type HAC, use_correction and use_t.
 */
export function regress(
  y: Column,
  factors: readonly Column[],
  lags = neweyWestLags(y.length),
): Regression | NoRegression {
  const [n, terms] = [y.length, factors.length + 1]
  if (n < terms + MIN_FREE)
    return { notAvailable: `there are ${n} observations in common, and ${terms + MIN_FREE} are needed` }
  if (isConstant(y)) return { notAvailable: 'the returns do not vary' }
  const still = factors.findIndex((factor) => sampleDeviation(factor) < MIN_DEVIATION)
  if (still >= 0) return { notAvailable: `factor ${still + 1} does not vary` }
  // Standardised columns keep all digits where factors have very different sizes.
  const centers = factors.map(mean)
  const spreads = factors.map(sampleDeviation)
  const design = [
    new Float64Array(n).fill(1),
    ...factors.map((factor, i) => factor.map((value) => (value - centers[i]!) / spreads[i]!)),
  ]
  const products = design.map((a) => Float64Array.from(design, (b) => dot(a, b)))
  if (isCollinear(products, n)) return { notAvailable: 'the factors move as one: leave one of them out' }
  const found = solveLinear(
    products,
    Float64Array.from(design, (column) => dot(column, y)),
  )
  const residuals = y.map((value, t) => value - design.reduce((sum, column, k) => sum + column[t]! * found[k]!, 0))
  const covariance = sandwich(design, products, residuals, lags)
  const free = n - terms
  const ownMean = mean(y)
  const [rest, whole] = [dot(residuals, residuals), y.reduce((sum, value) => sum + (value - ownMean) ** 2, 0)]
  const isExact = rest <= EXACT * whole
  const term = (coefficient: number, variance: number): Term => {
    const error = Math.sqrt(Math.max(0, variance) * (n / free))
    if (isExact) return { coefficient, error, t: null, pValue: null }
    const t = coefficient / error
    return { coefficient, error, t, pValue: twoSidedPValue(t, free) }
  }
  // Back to the units of the factors: the intercept is where all factors are 0.
  const back = Float64Array.from(design, (_, k) => (k === 0 ? 1 : -centers[k - 1]! / spreads[k - 1]!))
  const rSquared = 1 - rest / whole
  return {
    n,
    lags,
    alpha: term(
      dot(back, found),
      back.reduce((sum, a, i) => sum + back.reduce((one, b, j) => one + a * b * covariance[i]![j]!, 0), 0),
    ),
    loadings: factors.map((_, i) => term(found[i + 1]! / spreads[i]!, covariance[i + 1]![i + 1]! / spreads[i]! ** 2)),
    rSquared,
    adjustedRSquared: 1 - ((1 - rSquared) * (n - 1)) / free,
    residualDeviation: Math.sqrt(rest / free),
  }
}

/** Whether a column is a combination of those before it, by the pivots of the correlations. */
function isCollinear(products: readonly Float64Array[], n: number): boolean {
  const rows = products.map((row) => row.map((value) => value / n))
  for (let pivot = 0; pivot < rows.length; pivot++) {
    if (rows[pivot]![pivot]! < COLLINEAR) return true
    for (let row = pivot + 1; row < rows.length; row++) {
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      for (let column = pivot; column < rows.length; column++) rows[row]![column]! -= factor * rows[pivot]![column]!
    }
  }
  return false
}

/** (X'X)^-1 S (X'X)^-1 with the long-run covariance S of the scores x_t u_t. */
function sandwich(
  design: readonly Column[],
  products: readonly Float64Array[],
  residuals: Column,
  lags: number,
): Float64Array[] {
  const scores = design.map((column) => column.map((value, t) => value * residuals[t]!))
  const middle = scores.map((a) =>
    Float64Array.from(scores, (b) => {
      let sum = dot(a, b)
      for (let lag = 1; lag <= lags; lag++) {
        let crossed = 0
        for (let t = lag; t < a.length; t++) crossed += a[t]! * b[t - lag]! + a[t - lag]! * b[t]!
        sum += (1 - lag / (lags + 1)) * crossed
      }
      return sum
    }),
  )
  const bread = design.map((_, i) =>
    solveLinear(
      products,
      Float64Array.from(design, (_2, k) => (k === i ? 1 : 0)),
    ),
  )
  const times = (a: readonly Float64Array[], b: readonly Float64Array[]) =>
    a.map((row) => Float64Array.from(b, (_, j) => row.reduce((sum, value, k) => sum + value * b[k]![j]!, 0)))
  return times(times(bread, middle), bread)
}

function dot(a: Column, b: Column): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** x of Ax = b by elimination with the largest pivot of each column; A is small, by row. */
export function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, right[i]!))
  const size = rows.length
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot
    for (let row = pivot + 1; row < size; row++) {
      if (Math.abs(rows[row]![pivot]!) > Math.abs(rows[best]![pivot]!)) best = row
    }
    ;[rows[pivot], rows[best]] = [rows[best]!, rows[pivot]!]
    for (let row = pivot + 1; row < size; row++) {
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      for (let column = pivot; column <= size; column++) rows[row]![column]! -= factor * rows[pivot]![column]!
    }
  }
  const x = new Float64Array(size)
  for (let row = size - 1; row >= 0; row--) {
    let rest = rows[row]![size]!
    for (let column = row + 1; column < size; column++) rest -= rows[row]![column]! * x[column]!
    x[row] = rest / rows[row]![row]!
  }
  return x
}

/** How a metric went with a return that came later. */
export interface LaggedCorrelation {
  readonly correlation: number
  readonly pValue: number
  readonly pairs: number
  /** Share of the moves whose direction the metric's deviation from its mean foretold. */
  readonly directionalAccuracy: number | null
  /** Yearly, of holding in the direction that it pointed to; before costs. */
  readonly sharpe: number | null
}

/** Fewer pairs say nothing. */
const MIN_PAIRS = 10

/**
 * The metric of row t beside the return of row t + `ahead`, over rows whose return lies in [from, to). Undefined where
 * there are too few pairs or one of the two does not vary.
 */
export function laggedCorrelation(
  metric: Column,
  returns: Column,
  ahead: number,
  { from, to }: { from: number; to: number },
  periodsPerYear: number,
): LaggedCorrelation | undefined {
  const [xs, ys] = [[] as number[], [] as number[]]
  for (let row = Math.max(from, ahead); row < to; row++) {
    const [x, y] = [metric[row - ahead]!, returns[row]!]
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue
    xs.push(x)
    ys.push(y)
  }
  if (xs.length < MIN_PAIRS) return undefined
  const correlation = correlationOf(Float64Array.from(xs), Float64Array.from(ys), 0, xs.length)
  if (Number.isNaN(correlation)) return undefined
  const center = mean(xs)
  const direction = Math.sign(correlation)
  const held = xs.map((x, i) => direction * Math.sign(x - center) * ys[i]!)
  const moves = held.filter((earned) => earned !== 0)
  const ratio = sharpe(held, { periodsPerYear })
  return {
    correlation,
    pValue: correlationPValue(correlation, xs.length),
    pairs: xs.length,
    directionalAccuracy: moves.length === 0 ? null : moves.filter((earned) => earned > 0).length / moves.length,
    sharpe: isAvailable(ratio) ? ratio : null,
  }
}
