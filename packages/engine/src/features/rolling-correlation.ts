import { assertWholeNumber, type Indicator, inputAt, meanOf, overWindows, type WindowParameters } from './indicator.ts'
import { percentChange } from './percent-change.ts'

/** Pearson's correlation of the last n percent changes of two prices. NaN when one of them did not move. */
export const rollingCorrelation: Indicator<WindowParameters> = {
  id: 'correlation',
  defaults: { window: 60 },
  warmUp: ({ window }) => window,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 3)
    const changesOf = (input: number) => percentChange.compute([inputAt(inputs, input)], { period: 1 })
    const [a, b] = [changesOf(0), changesOf(1)]
    return overWindows(a.length, window, (from, to) => correlationOf(a, b, from, to))
  },
}

export function correlationOf(a: Float64Array, b: Float64Array, from: number, to: number): number {
  const [meanA, meanB] = [meanOf(a, from, to), meanOf(b, from, to)]
  let [both, squaresA, squaresB] = [0, 0, 0]
  for (let row = from; row < to; row++) {
    const [x, y] = [a[row]! - meanA, b[row]! - meanB]
    both += x * y
    squaresA += x * x
    squaresB += y * y
  }
  const scale = Math.sqrt(squaresA * squaresB)
  // Rounding may carry a perfect correlation a hair beyond 1.
  return scale > 0 ? Math.max(-1, Math.min(1, both / scale)) : Number.NaN
}
