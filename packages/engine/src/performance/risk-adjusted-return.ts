import type { Column } from '@tradewright/core/column'
import { type Figure, notAvailable, mapFigure, finiteOr } from './figure.ts'
import { isConstant, mean, type Numbers, sampleDeviation, shape, normalCdf, normalQuantile } from './statistics.ts'
import { excessReturns, growthOf, monthlyReturns } from './returns.ts'
import { maxDrawdown } from './drawdown.ts'

interface SharpeOptions {
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

/** Yearly growth over the depth of the deepest fall (a negative number). */
export const calmar = (yearlyGrowth: Figure, maxDrawdownDepth: number): Figure =>
  maxDrawdownDepth === 0
    ? notAvailable('the value never fell')
    : mapFigure(yearlyGrowth, (growth) => growth / -maxDrawdownDepth)

/** Sample standard deviation (ddof 1) of the returns, told per year. */
export const volatility = (returns: Numbers, periodsPerYear: number): Figure =>
  returns.length < 2
    ? notAvailable('it needs at least two returns')
    : sampleDeviation(returns) * Math.sqrt(periodsPerYear)

/** Below a tenth of what is earned without risk, the movement of an account is that of interest and not a risk taken. */
const SHARE_OF_RISK_FREE = 0.1

/** Deviation and mean are per period; both are told per year before they are compared. */
const isRiskless = (deviation: number, meanRiskFree: number, periodsPerYear: number): boolean =>
  deviation * Math.sqrt(periodsPerYear) <= SHARE_OF_RISK_FREE * Math.abs(meanRiskFree) * periodsPerYear

/**
 * Whether an account holds next to nothing but cash and bills. Its ratios would divide what the risk-free rate earned
 * more by how that rate moved: a Sharpe ratio of -24 for an account that cannot lose.
 */
function areRiskless(returns: Numbers, riskFree: Numbers | number, periodsPerYear: number): boolean {
  const free = typeof riskFree === 'number' ? riskFree : mean(riskFree)
  return free !== 0 && isRiskless(sampleDeviation(returns), free, periodsPerYear)
}

export const NO_RISK = 'the returns vary by less than a tenth of the risk-free rate: there is no risk to be rewarded'

/** Below this the variance of a window is rounding and not movement: running sums are good to about 1e-15. */
const STILL = 1e-14

/** The Sharpe ratio of the last `window` returns at each of them; NaN (no value) before, and where it has none. */
export function rollingSharpe(
  returns: Numbers,
  window: number,
  { periodsPerYear, riskFree = 0 }: SharpeOptions,
): Column {
  const rolling = new Float64Array(returns.length).fill(Number.NaN)
  if (window < 2) return rolling
  const excess = rollingMoments(excessReturns(returns, riskFree), window)
  const own = rollingMoments(returns, window)
  for (let i = window - 1; i < rolling.length; i++) {
    if (!(excess.variance[i]! > STILL)) continue
    const free = own.mean[i]! - excess.mean[i]!
    if (isRiskless(Math.sqrt(Math.max(0, own.variance[i]!)), free, periodsPerYear)) continue
    rolling[i] = (excess.mean[i]! / Math.sqrt(excess.variance[i]!)) * Math.sqrt(periodsPerYear)
  }
  return rolling
}

function rollingMoments(values: Numbers, window: number): { mean: Column; variance: Column } {
  const mean = new Float64Array(values.length).fill(Number.NaN)
  const variance = new Float64Array(values.length).fill(Number.NaN)
  let [sum, squares] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!
    squares += values[i]! ** 2
    if (i >= window) {
      sum -= values[i - window]!
      squares -= values[i - window]! ** 2
    }
    if (i < window - 1) continue
    mean[i] = sum / window
    variance[i] = (squares - (sum * sum) / window) / (window - 1)
  }
  return { mean, variance }
}

/** Statistics of one track record. The Sharpe ratio is per period, the kurtosis raw (3 for a normal). */
export interface TrackRecord {
  readonly sharpePerPeriod: number
  readonly periods: number
  readonly skewness: number
  readonly kurtosis: number
}

/** Undefined for returns that do not vary, which have no Sharpe ratio. */
export const sharpePerPeriodOf = (returns: Numbers): number | undefined =>
  isConstant(returns) ? undefined : mean(returns) / sampleDeviation(returns)

export function trackRecordOf(returns: Numbers): TrackRecord | undefined {
  const sharpePerPeriod = sharpePerPeriodOf(returns)
  if (sharpePerPeriod === undefined) return undefined
  return { sharpePerPeriod, periods: returns.length, ...shape(returns) }
}

/** How much the estimate of a Sharpe ratio scatters, apart from the number of periods (Mertens 2002). */
const estimateVariance = ({ sharpePerPeriod, skewness, kurtosis }: TrackRecord): number =>
  1 - skewness * sharpePerPeriod + ((kurtosis - 1) / 4) * sharpePerPeriod ** 2

/**
 * Probability that the true Sharpe ratio is above a benchmark (Bailey and López de Prado, "The Sharpe ratio efficient
 * frontier", 2012).
 */
export function probabilisticSharpe(record: TrackRecord, benchmarkPerPeriod = 0): Figure {
  if (record.periods < 2) return notAvailable('it needs at least two returns')
  const variance = estimateVariance(record)
  if (!(variance > 0)) return notAvailable('the returns are too skewed for the estimate')
  const distance = (record.sharpePerPeriod - benchmarkPerPeriod) * Math.sqrt(record.periods - 1)
  return finiteOr(normalCdf(distance / Math.sqrt(variance)), 'the skewness or kurtosis of the returns is not defined')
}

const EULER_MASCHERONI = 0.5772156649015329

/** The expected best of n independent standard normal draws (n at least 2). */
export const expectedMaximum = (draws: number): number =>
  (1 - EULER_MASCHERONI) * normalQuantile(1 - 1 / draws) + EULER_MASCHERONI * normalQuantile(1 - 1 / (draws * Math.E))

export interface Trials {
  readonly count: number
  /** Standard deviation of the trials' Sharpe ratios, per period. */
  readonly sharpeDeviation: number
}

/** The Sharpe ratio that the best of that many worthless trials would show by luck. */
export const luckySharpe = ({ count, sharpeDeviation }: Trials): number =>
  count < 2 ? 0 : sharpeDeviation * expectedMaximum(count)

/**
 * Probability that the winner of many trials is better than luck (Bailey and López de Prado, "The deflated Sharpe
 * ratio", 2014).
 */
export const deflatedSharpe = (record: TrackRecord, trials: Trials): Figure =>
  trials.count < 1 ? notAvailable('nothing was tried') : probabilisticSharpe(record, luckySharpe(trials))

const MONTHS_PER_YEAR = 12

/** Figures as tables of portfolios print them, from one value a month. */
export interface MonthEndFigures {
  readonly volatility: Figure
  readonly sharpe: Figure
  readonly sortino: Figure
  /** From month-end values, the start included: a fall within a month does not count. */
  readonly maxDrawdown: number
}

/** `riskFree` has one return per step of the curve; undefined counts as none. */
export function monthEndFigures(days: Int32Array, growth: Column, riskFree: Column | undefined): MonthEndFigures {
  const returns = monthlyReturns(days, growth).map((month) => month.return)
  const free = riskFree && monthlyReturns(days, growthOf(riskFree)).map((month) => month.return)
  const options = { periodsPerYear: MONTHS_PER_YEAR, ...(free ? { riskFree: free } : {}) }
  return {
    volatility: volatility(returns, MONTHS_PER_YEAR),
    sharpe: sharpe(returns, options),
    sortino: sortino(returns, options),
    maxDrawdown: maxDrawdown(growthOf(returns)).depth,
  }
}
