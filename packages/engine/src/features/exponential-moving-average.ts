import { assertWholeNumber, type Indicator, inputAt, meanOf, type WindowParameters } from './indicator.ts'

/**
 * TA-Lib's EMA: begins as the mean of the first n values, then moves by 2 / (n + 1) of the distance to each new one.
 * A missing value leaves it where it was.
 */
export const exponentialMovingAverage: Indicator<WindowParameters> = {
  id: 'ema',
  defaults: { window: 20 },
  warmUp: ({ window }) => window - 1,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 1)
    const values = inputAt(inputs, 0)
    const out = new Float64Array(values.length).fill(Number.NaN)
    const start = firstFullWindow(values, window)
    if (start < 0) return out
    const weight = 2 / (window + 1)
    let average = meanOf(values, start, start + window)
    out[start + window - 1] = average
    for (let row = start + window; row < values.length; row++) {
      const value = values[row]!
      if (Number.isNaN(value)) continue
      average = (value - average) * weight + average
      out[row] = average
    }
    return out
  },
}

/** Where the first n values in a row begin; an input may have a warm-up of its own. -1 when there are none. */
export function firstFullWindow(values: Float64Array, window: number): number {
  let run = 0
  for (let row = 0; row < values.length; row++) {
    run = Number.isNaN(values[row]!) ? 0 : run + 1
    if (run === window) return row - window + 1
  }
  return -1
}
