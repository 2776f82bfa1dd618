import type { Column } from '@tradewright/core/column'
import type { Numbers } from './moments.ts'
import { excessReturns } from './returns.ts'
import type { SharpeOptions } from './sharpe.ts'

/** Below this the variance of a window is rounding and not movement: running sums are good to about 1e-15. */
const STILL = 1e-14

/** The Sharpe ratio of the last `window` returns at each of them; NaN (no value) before, and where it has none. */
export function rollingSharpe(returns: Numbers, window: number, options: SharpeOptions): Column {
  const excess = excessReturns(returns, options.riskFree ?? 0)
  const rolling = new Float64Array(excess.length).fill(Number.NaN)
  let [sum, squares] = [0, 0]
  for (let i = 0; i < excess.length; i++) {
    sum += excess[i]!
    squares += excess[i]! ** 2
    if (i >= window) {
      sum -= excess[i - window]!
      squares -= excess[i - window]! ** 2
    }
    if (i < window - 1 || window < 2) continue
    const variance = (squares - (sum * sum) / window) / (window - 1)
    if (variance > STILL) rolling[i] = (sum / window / Math.sqrt(variance)) * Math.sqrt(options.periodsPerYear)
  }
  return rolling
}
