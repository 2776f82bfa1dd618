import type { Column } from '@tradewright/core/column'
import { type Numbers, isConstant, mean, shape, quantileOfSorted } from './statistics.ts'
import { type Figure, finiteOr, notAvailable } from './figure.ts'

/** How far each value lies below the highest one so far, from 0 to -1. The first value is the start value. */
export function drawdownCurve(values: Numbers): Column {
  const curve = new Float64Array(values.length)
  let highest = 0
  for (let i = 0; i < values.length; i++) {
    highest = Math.max(highest, values[i]!)
    curve[i] = highest === 0 ? 0 : values[i]! / highest - 1
  }
  return curve
}

export interface Drawdown {
  /** 0 when the values never fell, else negative. */
  readonly depth: number
  /** Indexes in the curve: the high before the fall, its lowest point, and the first value that is as high again. */
  readonly peak: number
  readonly trough: number
  /** Undefined while it lasts. */
  readonly recovery: number | undefined
}

/** The deepest fall. The first value must be the start value, or a loss on the first day would be overlooked. */
export function maxDrawdown(values: Numbers): Drawdown {
  let peak = 0
  let deepest: Drawdown = { depth: 0, peak: 0, trough: 0, recovery: undefined }
  for (let i = 1; i < values.length; i++) {
    if (values[i]! > values[peak]!) peak = i
    const high = values[peak]!
    const depth = high === 0 ? 0 : values[i]! / high - 1
    if (depth < deepest.depth) deepest = { depth, peak, trough: i, recovery: undefined }
  }
  return { ...deepest, recovery: recoveryOf(values, deepest) }
}

function recoveryOf(values: Numbers, { depth, peak, trough }: Drawdown): number | undefined {
  if (depth === 0) return undefined
  for (let i = trough + 1; i < values.length; i++) if (values[i]! >= values[peak]!) return i
  return undefined
}

/** Every fall below a high until the first value that is as high again, in their order. */
export function drawdownEpisodes(values: Numbers): Drawdown[] {
  const episodes: Drawdown[] = []
  let peak = 0
  let trough: number | undefined
  const end = (recovery: number | undefined) => {
    if (trough === undefined) return
    episodes.push({ depth: values[trough]! / values[peak]! - 1, peak, trough, recovery })
  }
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < values[peak]!) {
      if (trough === undefined || values[i]! < values[trough]!) trough = i
    } else if (trough !== undefined || values[i]! > values[peak]!) {
      end(i)
      peak = i
      trough = undefined
    }
  }
  end(undefined)
  return episodes
}

/** In the unit of `dayOf`: from a high until it was reached again, or until the end; 0 where the values never fell. */
export function longestDrawdown(episodes: readonly Drawdown[], dayOf: (index: number) => number, last: number): number {
  return episodes.reduce((longest, { peak, recovery }) => Math.max(longest, dayOf(recovery ?? last) - dayOf(peak)), 0)
}

/** The worst twentieth of the returns is the tail. */
const TAIL = 0.05
/** With fewer, the twentieth is one return. */
const MIN_RETURNS = 20

export interface TailFigures {
  /** The return that one bar in twenty falls short of; negative where that is a loss. */
  readonly valueAtRisk: Figure
  /** The mean of the returns at or below it. */
  readonly conditionalValueAtRisk: Figure
  /** How far the best twentieth begins from zero, over how far the worst one does. */
  readonly tailRatio: Figure
}

export function tailFigures(returns: Numbers): TailFigures {
  if (returns.length < MIN_RETURNS) {
    const few = notAvailable(`it needs at least ${MIN_RETURNS} returns`)
    return { valueAtRisk: few, conditionalValueAtRisk: few, tailRatio: few }
  }
  const sorted = Float64Array.from(returns).sort()
  const low = quantileOfSorted(sorted, TAIL)
  const high = quantileOfSorted(sorted, 1 - TAIL)
  return {
    valueAtRisk: low,
    conditionalValueAtRisk: mean(sorted.filter((one) => one <= low)),
    tailRatio: finiteOr(Math.abs(high / low), 'the worst twentieth of the returns begins at zero'),
  }
}

/** Moments of the population, as scipy has them; kurtosis above that of a normal distribution. */
export function shapeFigures(returns: Numbers): { skewness: Figure; kurtosis: Figure } {
  if (isConstant(returns)) {
    const still = notAvailable('the returns do not vary')
    return { skewness: still, kurtosis: still }
  }
  const { skewness, kurtosis } = shape(returns)
  return { skewness, kurtosis: kurtosis - 3 }
}

/** All gains over all losses; the threshold is zero. */
export function omega(returns: Numbers): Figure {
  const { gains, losses } = gainsAndLosses(returns)
  return losses === 0 ? notAvailable('no return was negative') : gains / losses
}

/** The sum of all returns over the sum of the losses, of months as Schwager has it. */
export function gainToPain(monthly: Numbers): Figure {
  const { gains, losses } = gainsAndLosses(monthly)
  return losses === 0 ? notAvailable('no month lost') : (gains - losses) / losses
}

function gainsAndLosses(returns: Numbers): { gains: number; losses: number } {
  let [gains, losses] = [0, 0]
  for (let i = 0; i < returns.length; i++) {
    if (returns[i]! > 0) gains += returns[i]!
    else losses -= returns[i]!
  }
  return { gains, losses }
}
