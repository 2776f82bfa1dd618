import { type Figure, finiteOr, notAvailable } from './figure.ts'
import { isConstant, mean, type Numbers, shape } from './moments.ts'
import { quantileOfSorted } from './quantile.ts'

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
