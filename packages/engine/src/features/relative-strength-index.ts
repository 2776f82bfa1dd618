import { firstFullWindow } from './exponential-moving-average.ts'
import { assertWholeNumber, type Indicator, inputAt, type WindowParameters } from './indicator.ts'

/**
 * Wilder's RSI as TA-Lib computes it: average gain and loss begin as plain means of the first n changes and are then
 * smoothed by 1 / n. A price that never moved has 0, TA-Lib's convention.
 */
export const relativeStrengthIndex: Indicator<WindowParameters> = {
  id: 'rsi',
  defaults: { window: 14 },
  warmUp: ({ window }) => window,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 2)
    const price = inputAt(inputs, 0)
    const out = new Float64Array(price.length).fill(Number.NaN)
    const start = firstFullWindow(price, window + 1)
    if (start < 0) return out
    let [gain, loss] = firstAverages(price, start, window)
    out[start + window] = strength(gain, loss)
    let before = price[start + window]!
    for (let row = start + window + 1; row < price.length; row++) {
      const now = price[row]!
      if (Number.isNaN(now)) continue
      const change = now - before
      gain = (gain * (window - 1) + Math.max(change, 0)) / window
      loss = (loss * (window - 1) + Math.max(-change, 0)) / window
      out[row] = strength(gain, loss)
      before = now
    }
    return out
  },
}

function firstAverages(price: Float64Array, start: number, window: number): [gain: number, loss: number] {
  let [gain, loss] = [0, 0]
  for (let row = start + 1; row <= start + window; row++) {
    const change = price[row]! - price[row - 1]!
    if (change > 0) gain += change
    else loss -= change
  }
  return [gain / window, loss / window]
}

const strength = (gain: number, loss: number): number => (gain + loss === 0 ? 0 : (100 * gain) / (gain + loss))
