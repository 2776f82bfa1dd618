import { assertWholeNumber, type Indicator, inputAt, meanOf, overWindows, type WindowParameters } from './indicator.ts'
import { percentChange } from './percent-change.ts'

/** Sample standard deviation (ddof 1) of the last n percent changes, per row and not annualised. */
export const rollingVolatility: Indicator<WindowParameters> = {
  id: 'volatility',
  defaults: { window: 20 },
  warmUp: ({ window }) => window,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 2)
    const changes = percentChange.compute([inputAt(inputs, 0)], { period: 1 })
    return overWindows(changes.length, window, (from, to) => sampleDeviation(changes, from, to))
  },
}

/** In two passes: the one-pass formula loses all digits on a calm series. */
export function sampleDeviation(values: Float64Array, from: number, to: number): number {
  const mean = meanOf(values, from, to)
  let sum = 0
  for (let row = from; row < to; row++) sum += (values[row]! - mean) ** 2
  return Math.sqrt(sum / (to - from - 1))
}
