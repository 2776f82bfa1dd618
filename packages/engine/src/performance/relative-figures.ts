import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { dayStamp, type EpochDay, formatDate } from '@tradewright/core/time'
import { monthlyReturns, excessReturns, simpleReturns } from './returns.ts'
import { type Figure, notAvailable } from './figure.ts'
import { isConstant, mean, type Numbers, sampleDeviation } from './statistics.ts'
import { adjustPrices, actionsOf } from '../market/corporate-actions.ts'
import type { SeriesTable } from '../market/series.ts'

/** Figures of one curve against another on the same bars. */
export interface RelativeFigures {
  readonly alpha: Figure
  readonly beta: Figure
  readonly correlation: Figure
  readonly rSquared: Figure
  readonly trackingError: Figure
  readonly informationRatio: Figure
  readonly upCapture: Figure
  readonly downCapture: Figure
}

interface RelativeCurves {
  readonly days: Int32Array
  readonly growth: Column
  /** The reference on the same bars; NaN where it has no value. */
  readonly reference: Column
  /** One return per step; undefined counts as none. */
  readonly riskFree: Column | undefined
  readonly barsPerYear: number
}

const MIN_RETURNS = 3

/** Every figure for the same reason. */
export function noRelativeFigures(because: string): RelativeFigures {
  const missing = notAvailable(because)
  return {
    alpha: missing,
    beta: missing,
    correlation: missing,
    rSquared: missing,
    trackingError: missing,
    informationRatio: missing,
    upCapture: missing,
    downCapture: missing,
  }
}

/** Figures of a curve against a reference, on the bars that both have. */
export function relativeFigures(curves: RelativeCurves): RelativeFigures {
  const { days, growth, reference, riskFree, barsPerYear } = shared(curves)
  const own = simpleReturns(growth)
  const other = simpleReturns(reference)
  if (own.length < MIN_RETURNS) return noRelativeFigures('it and the reference share fewer than three returns')
  const free = riskFree ?? 0
  const line = regression(excessReturns(own, free), excessReturns(other, free))
  const active = excessReturns(own, other)
  const trackingError = sampleDeviation(active) * Math.sqrt(barsPerYear)
  return {
    ...line,
    alpha: typeof line.alpha === 'number' ? line.alpha * barsPerYear : line.alpha,
    trackingError,
    informationRatio: isConstant(active)
      ? notAvailable('the difference to the reference does not vary')
      : (mean(active) * barsPerYear) / trackingError,
    ...captures(monthly(days, growth), monthly(days, reference)),
  }
}

/** From the first to the last bar of the reference; a bar it lacks in between has the value before. */
function shared(curves: RelativeCurves): RelativeCurves {
  const { days, growth, reference, riskFree, barsPerYear } = curves
  const from = Math.max(
    0,
    reference.findIndex((value) => Number.isFinite(value)),
  )
  const to = reference.findLastIndex((value) => Number.isFinite(value)) + 1
  const filled = reference.slice(from, to)
  for (let i = 1; i < filled.length; i++) if (!Number.isFinite(filled[i])) filled[i] = filled[i - 1]!
  return {
    days: days.subarray(from, to),
    growth: growth.subarray(from, to),
    reference: filled,
    riskFree: riskFree?.subarray(from, Math.max(from, to - 1)),
    barsPerYear,
  }
}

/** Least squares of `own` on `other`; alpha per bar. */
function regression(own: Numbers, other: Numbers) {
  if (isConstant(other)) {
    const still = notAvailable('the reference does not vary')
    return { alpha: still, beta: still, correlation: still, rSquared: still }
  }
  const [ownMean, otherMean] = [mean(own), mean(other)]
  let [products, ownSquares, otherSquares] = [0, 0, 0]
  for (let i = 0; i < own.length; i++) {
    const [y, x] = [own[i]! - ownMean, other[i]! - otherMean]
    products += x * y
    ownSquares += y * y
    otherSquares += x * x
  }
  const beta = products / otherSquares
  const alpha = ownMean - beta * otherMean
  if (isConstant(own)) {
    const still = notAvailable('the returns do not vary')
    return { alpha, beta, correlation: still, rSquared: still }
  }
  const correlation = products / Math.sqrt(ownSquares * otherSquares)
  return { alpha, beta, correlation, rSquared: correlation * correlation }
}

const monthly = (days: Int32Array, values: Column): number[] => monthlyReturns(days, values).map((one) => one.return)

function captures(own: readonly number[], other: readonly number[]) {
  return {
    upCapture: capture(own, other, (month) => month > 0, 'the reference rose in no month'),
    downCapture: capture(own, other, (month) => month < 0, 'the reference fell in no month'),
  }
}

/** Geometric mean return of the chosen months, over that of the reference in them. */
function capture(
  own: readonly number[],
  other: readonly number[],
  isChosen: (month: number) => boolean,
  otherwise: string,
): Figure {
  const chosen = [...other.keys()].filter((at) => isChosen(other[at]!))
  if (chosen.length === 0) return notAvailable(otherwise)
  const geometric = (months: readonly number[]) =>
    chosen.reduce((product, at) => product * (1 + months[at]!), 1) ** (1 / chosen.length) - 1
  return geometric(own) / geometric(other)
}

/** Growth of one unit of a ticker with its dividends reinvested, on the account's dates. */
export interface BenchmarkGrowth {
  /** One entry per day; NaN where there is no price yet. */
  readonly growth: Float64Array
  readonly totalReturn: Figure
}

/** Prices may be this much older than the day they stand for. */
const STALE_DAYS = 10

export function benchmarkGrowth(table: SeriesTable | undefined, days: readonly EpochDay[]): BenchmarkGrowth {
  const growth = new Float64Array(days.length).fill(Number.NaN)
  const [first, last] = [days[0], days.at(-1)]
  if (!table || first === undefined || last === undefined) {
    return { growth, totalReturn: notAvailable('there are no prices for these dates') }
  }
  const prices = adjustPrices(table, actionsOf(table), 'total-return').columns['close'] ?? new Float64Array()
  const priceAt = (day: EpochDay): number => {
    const row = lastAtOrBefore(table.timestamps, dayStamp(day))
    return row < 0 || table.timestamps[row]! < dayStamp(day - STALE_DAYS) ? Number.NaN : prices[row]!
  }
  const start = priceAt(first)
  for (const [i, day] of days.entries()) growth[i] = priceAt(day) / start
  const end = growth.at(-1)!
  if (Number.isFinite(end) && last > first) return { growth, totalReturn: end - 1 }
  const missing = Number.isFinite(start) ? last : first
  return { growth, totalReturn: notAvailable(`there is no price for ${formatDate(missing)}`) }
}
