import type { Column } from '@tradewright/core/column'
import {
  assertWholeNumber,
  type Indicator,
  inputAt,
  windowMeans,
  type WindowParameters,
  meanOf,
  overWindows,
  type FeatureBars,
  fieldOf,
} from './feature.ts'

/** TA-Lib's SMA: the mean of the last n values. */
export const simpleMovingAverage: Indicator<WindowParameters> = {
  id: 'sma',
  defaults: { window: 20 },
  warmUp: ({ window }) => window - 1,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 1)
    return windowMeans(inputAt(inputs, 0), window)
  },
}

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
function firstFullWindow(values: Float64Array, window: number): number {
  let run = 0
  for (let row = 0; row < values.length; row++) {
    run = Number.isNaN(values[row]!) ? 0 : run + 1
    if (run === window) return row - window + 1
  }
  return -1
}

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

/** TA-Lib's ROCP: price / price n rows ago - 1. */
export const percentChange: Indicator<{ readonly period: number }> = {
  id: 'pct_change',
  defaults: { period: 1 },
  warmUp: ({ period }) => period,
  compute(inputs, { period }) {
    assertWholeNumber('period', period, 1)
    const price = inputAt(inputs, 0)
    return price.map((now, row) => (row < period ? Number.NaN : changeFrom(price[row - period]!, now)))
  },
}

/** What was zero has no percent change, and of what was negative it would have the wrong sign. */
const changeFrom = (before: number, now: number): number =>
  before > 0 && Number.isFinite(now) ? now / before - 1 : Number.NaN

/** ln(price / price n rows ago): adds up over time, which percent changes do not. */
export const logReturn: Indicator<{ readonly period: number }> = {
  id: 'log_return',
  defaults: { period: 1 },
  warmUp: ({ period }) => period,
  compute(inputs, { period }) {
    assertWholeNumber('period', period, 1)
    const price = inputAt(inputs, 0)
    return price.map((now, row) => {
      const ratio = row < period ? Number.NaN : now / price[row - period]!
      return ratio > 0 && Number.isFinite(ratio) ? Math.log(ratio) : Number.NaN
    })
  },
}

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

/** The highest of the last n values; NaN before there are n rows. */
export const rollingHigh = (values: Column, window: number): Column => withWarmUp(runningPeak(values, window), window)

export const rollingLow = (values: Column, window: number): Column =>
  withWarmUp(
    runningPeak(
      values.map((value) => -value),
      window,
    ).map((value) => -value),
    window,
  )

const withWarmUp = (column: Column, window: number): Column => column.fill(Number.NaN, 0, window - 1)

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

/** The range of a bar, including the gap from the close before it. The first bar has none, as in TA-Lib. */
export function trueRange(bars: FeatureBars): Column {
  const [high, low, close] = [fieldOf(bars, 'high'), fieldOf(bars, 'low'), fieldOf(bars, 'close')]
  return high.map((top, row) => {
    if (row === 0) return Number.NaN
    const before = close[row - 1]!
    return Math.max(top - low[row]!, Math.abs(top - before), Math.abs(low[row]! - before))
  })
}

/** Volume as a multiple of its own moving average, this row included. NaN when nothing was traded in the window. */
export const volumeRatio: Indicator<WindowParameters> = {
  id: 'volume_ratio',
  defaults: { window: 20 },
  warmUp: simpleMovingAverage.warmUp,
  compute(inputs, parameters) {
    const volume = inputAt(inputs, 0)
    const average = simpleMovingAverage.compute([volume], parameters)
    return volume.map((now, row) => (average[row]! > 0 ? now / average[row]! : Number.NaN))
  },
}
