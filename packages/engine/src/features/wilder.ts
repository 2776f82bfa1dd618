import type { Column } from '@tradewright/core/column'
import { firstFullWindow } from './exponential-moving-average.ts'
import { meanOf } from './indicator.ts'

/**
 * Wilder's smoothing (New Concepts in Technical Trading Systems, 1978): the mean of the first n values, then 1 / n of
 * the way to each new one. A missing value leaves it where it was.
 */
export function wilderAverage(values: Column, window: number): Column {
  const out = new Float64Array(values.length).fill(Number.NaN)
  const start = firstFullWindow(values, window)
  if (start < 0) return out
  let average = meanOf(values, start, start + window)
  out[start + window - 1] = average
  for (let row = start + window; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) continue
    average += (values[row]! - average) / window
    out[row] = average
  }
  return out
}
