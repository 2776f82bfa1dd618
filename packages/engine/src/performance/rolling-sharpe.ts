import type { Column } from '@tradewright/core/column'
import type { Numbers } from './moments.ts'
import { excessReturns } from './returns.ts'
import { isRiskless } from './riskless.ts'
import type { SharpeOptions } from './sharpe.ts'

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
