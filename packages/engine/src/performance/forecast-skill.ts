import { type Figure, mapFigure, notAvailable } from './figure.ts'
import { type Numbers, normalCdf, upperTailPValue } from './statistics.ts'

interface DirectionTest {
  /** Share of right calls. */
  readonly accuracy: number
  /** Share of right calls that guessing with the same frequencies would give. */
  readonly expectedAccuracy: number
  /** Share of the more frequent outcome: what always saying the same would give. */
  readonly baseRate: number
  /** The statistic, and how often a forecast that knows nothing would show one as high. */
  readonly statistic: Figure
  readonly pValue: Figure
}

/**
 * Does a forecast of direction know more than its own and the outcome's frequencies? Pesaran and Timmermann, "A simple
 * nonparametric test of predictive performance", 1992, with the term in 1/n² that some implementations drop. It is for
 * outcomes that are independent of each other; those that overlap are tested by `testOverlapping`. Positive values are
 * "up", all others "down".
 */
export function testDirections(
  outcomes: Numbers,
  forecasts: Numbers,
  dependence: OutcomeDependence = { overlap: 1 },
): DirectionTest | undefined {
  const n = outcomes.length
  if (n === 0) return undefined
  const accuracy = share(n, (i) => outcomes[i]! > 0 === forecasts[i]! > 0)
  const up = share(n, (i) => outcomes[i]! > 0)
  const forecastUp = share(n, (i) => forecasts[i]! > 0)
  const expectedAccuracy = up * forecastUp + (1 - up) * (1 - forecastUp)
  const shares = { n, accuracy, expectedAccuracy, up, forecastUp }
  return {
    accuracy,
    expectedAccuracy,
    baseRate: Math.max(up, 1 - up),
    ...(unanimous(shares) ??
      (dependence.overlap === 1 && !dependence.known
        ? testIndependent(shares)
        : testOverlapping(outcomes, forecasts, dependence))),
  }
}

interface Shares {
  readonly n: number
  readonly accuracy: number
  readonly expectedAccuracy: number
  readonly up: number
  readonly forecastUp: number
}

type Significance = Pick<DirectionTest, 'statistic' | 'pValue'>

/** A forecast or an outcome that never changes cannot be tested. */
function unanimous({ up, forecastUp }: Shares): Significance | undefined {
  const always = (share: number) => share === 0 || share === 1
  if (!always(forecastUp) && !always(up)) return undefined
  const reason = notAvailable(`the ${always(forecastUp) ? 'forecast' : 'outcome'} is always the same`)
  return { statistic: reason, pValue: reason }
}

function testIndependent(shares: Shares): Significance {
  const statistic = statisticOf(shares)
  return { statistic, pValue: mapFigure(statistic, (value) => 1 - normalCdf(value)) }
}

function statisticOf({ n, accuracy, expectedAccuracy, up, forecastUp }: Shares): Figure {
  const accuracyVariance = (expectedAccuracy * (1 - expectedAccuracy)) / n
  const expectedVariance =
    ((2 * up - 1) ** 2 * forecastUp * (1 - forecastUp)) / n +
    ((2 * forecastUp - 1) ** 2 * up * (1 - up)) / n +
    (4 * up * forecastUp * (1 - up) * (1 - forecastUp)) / n ** 2
  const variance = accuracyVariance - expectedVariance
  return variance > 0
    ? (accuracy - expectedAccuracy) / Math.sqrt(variance)
    : notAvailable('there are too few forecasts')
}

function share(n: number, holds: (i: number) => boolean): number {
  let count = 0
  for (let i = 0; i < n; i++) if (holds(i)) count++
  return count / n
}

/** How the outcomes of neighbouring rows depend on each other without any forecast. */
interface OutcomeDependence {
  /** Rows from one outcome to the first that shares nothing with it: 20 for a return over 20 rows. */
  readonly overlap: number
  /** Per outcome, what is known of it without a forecast; the test asks what the forecast adds to that. */
  readonly known?: Numbers | undefined
}

interface OverlapTest {
  readonly statistic: Figure
  readonly pValue: Figure
}

/** More cosines would change the last digit of the p-value and cost a second on intraday rows. */
const MAX_COSINES = 100

/**
 * Pesaran and Timmermann's question for outcomes that overlap, in the regression form of their paper of 2009: the
 * coefficient of the forecast in a regression of the outcome on a constant, the forecast and what is known anyway. Its
 * variance comes from the serial correlation that is in the data, by equal-weighted cosines with the null imposed; the
 * statistic is Student's t with one degree of freedom per cosine (Lazarus, Lewis, Stock and Watson, "HAR inference:
 * recommendations for practice", 2018). Cosines must be slower than the overlap: at most rows / overlap of them.
 *
 * Beyond the paper, the variance is multiplied by 1 + 2 / cosines for the two means that are estimated from the same
 * rows: without it 6.7 % of 1,200 test windows of 250 random-walk rows came out below 0.05, with it 5.3 %.
 */
function testOverlapping(outcomes: Numbers, forecasts: Numbers, dependence: OutcomeDependence): OverlapTest {
  const { overlap, known } = dependence
  const rows = outcomes.length
  if (rows < 2 * overlap) return both('the labels overlap too much for so few test rows')
  const regressors = known ? [known] : []
  const forecast = residuals(
    Float64Array.from(forecasts, (one) => (one > 0 ? 1 : 0)),
    regressors,
  )
  const outcome = residuals(
    Float64Array.from(outcomes, (one) => (one > 0 ? 1 : 0)),
    regressors,
  )
  const products = forecast.map((one, row) => one * outcome[row]!)
  const cosines = Math.max(2, Math.floor(Math.min(0.41 * rows ** (2 / 3), rows / overlap, MAX_COSINES)))
  const variance = longRunVariance(products, cosines) * (1 + 2 / cosines)
  if (!(variance > SMALLEST_VARIANCE)) return both('the forecast adds nothing to what is known without it')
  const statistic = products.reduce((sum, one) => sum + one, 0) / Math.sqrt(rows * variance)
  return { statistic, pValue: upperTailPValue(statistic, cosines) }
}

const SMALLEST_VARIANCE = 1e-18

const both = (reason: string): OverlapTest => ({ statistic: notAvailable(reason), pValue: notAvailable(reason) })

/** The column minus its regression on a constant and the regressors, which are few (Gram-Schmidt). */
function residuals(column: Float64Array, regressors: readonly Numbers[]): Float64Array {
  const basis: Float64Array[] = []
  for (const regressor of [new Float64Array(column.length).fill(1), ...regressors]) {
    const rest = without(Float64Array.from(regressor), basis)
    const length = Math.sqrt(dot(rest, rest))
    if (length > 1e-9) basis.push(rest.map((value) => value / length))
  }
  return without(column, basis)
}

function without(column: Float64Array, basis: readonly Float64Array[]): Float64Array {
  let rest = column
  for (const direction of basis) {
    const share = dot(rest, direction)
    rest = rest.map((value, row) => value - share * direction[row]!)
  }
  return rest
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let row = 0; row < a.length; row++) sum += a[row]! * b[row]!
  return sum
}

/** Mean of the squared projections on the slowest cosines, each of which is orthogonal to a constant. */
function longRunVariance(values: Float64Array, cosines: number): number {
  let squares = 0
  for (let number = 1; number <= cosines; number++) squares += cosineSum(values, number) ** 2
  return (2 * squares) / (cosines * values.length)
}

/** Σ value × cos(π × number × (row + ½) / rows), by turning a unit vector. */
function cosineSum(values: Float64Array, number: number): number {
  const angle = (Math.PI * number) / values.length
  const [turnCos, turnSin] = [Math.cos(angle), Math.sin(angle)]
  let [cos, sin] = [Math.cos(angle / 2), Math.sin(angle / 2)]
  let sum = 0
  for (let row = 0; row < values.length; row++) {
    sum += values[row]! * cos
    const next = cos * turnCos - sin * turnSin
    sin = sin * turnCos + cos * turnSin
    cos = next
  }
  return sum
}

/** A prediction whose outcome is known. */
interface SettledPrediction {
  /** The probability that was said of the target coming true. */
  readonly probability: number
  readonly happened: boolean
}

interface CalibrationBin {
  /** Probabilities from (included) to (excluded; 1 is in the last bin). */
  readonly from: number
  readonly to: number
  readonly count: number
  readonly saidMean: number
  readonly happenedShare: number
  /** 95 % Wilson interval of the share. */
  readonly low: number
  readonly high: number
}

export interface Calibration {
  readonly count: number
  /** The bins that have predictions, lowest first. */
  readonly bins: readonly CalibrationBin[]
  /** Mean squared difference of what was said and what happened; 0.25 is a coin. */
  readonly brier: number | null
}

const BINS = 10
/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959963984540054

export function calibrationOf(settled: readonly SettledPrediction[]): Calibration {
  const byBin = Map.groupBy(settled, ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)))
  const bins = [...byBin].sort(([a], [b]) => a - b).map(([bin, own]) => binOf(bin, own))
  const error = settled.reduce((sum, { probability, happened }) => sum + (probability - Number(happened)) ** 2, 0)
  return { count: settled.length, bins, brier: settled.length === 0 ? null : error / settled.length }
}

function binOf(bin: number, own: readonly SettledPrediction[]): CalibrationBin {
  const count = own.length
  const happened = own.filter((one) => one.happened).length
  const saidMean = own.reduce((sum, { probability }) => sum + probability, 0) / count
  const interval = wilson(happened, count)
  return { from: bin / BINS, to: (bin + 1) / BINS, count, saidMean, happenedShare: happened / count, ...interval }
}

/** Wilson (1927): holds for few trials and for shares near 0 and 1, unlike the normal interval. */
export function wilson(successes: number, trials: number): { low: number; high: number } {
  const share = successes / trials
  const scale = 1 + Z ** 2 / trials
  const centre = (share + Z ** 2 / (2 * trials)) / scale
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
