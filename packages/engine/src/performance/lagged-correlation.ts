import type { Column } from '@tradewright/core/column'
import { correlationOf } from '../features/rolling-correlation.ts'
import { isAvailable } from './figure.ts'
import { mean } from './moments.ts'
import { sharpe } from './sharpe.ts'
import { correlationPValue } from './student-t.ts'

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
