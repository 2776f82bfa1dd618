import { assertWholeNumber, type Indicator, inputAt, type WindowParameters } from './indicator.ts'

/** Price below its peak as a fraction: 0 at a new high. `window` rows count for the peak; 0 is all there were. */
export const drawdown: Indicator<WindowParameters> = {
  id: 'drawdown',
  defaults: { window: 0 },
  warmUp: () => 0,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 0)
    const price = inputAt(inputs, 0)
    const peak = runningPeak(price, window === 0 ? price.length : window)
    return price.map((now, row) => now / peak[row]! - 1)
  },
}

/** The highest of the last n values; missing ones do not count. Kept as a queue of values that may still matter. */
export function runningPeak(values: Float64Array, window: number): Float64Array {
  const queue = new Int32Array(values.length)
  let [head, tail] = [0, 0]
  return values.map((value, row) => {
    if (!Number.isNaN(value)) {
      while (tail > head && values[queue[tail - 1]!]! <= value) tail--
      queue[tail++] = row
    }
    while (head < tail && queue[head]! <= row - window) head++
    return head < tail ? values[queue[head]!]! : Number.NaN
  })
}
