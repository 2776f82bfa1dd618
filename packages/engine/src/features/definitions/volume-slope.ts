import type { Column } from '@tradewright/core/column'
import { defineFeature, meanOf, overWindows, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'

export const volumeSlope = defineFeature({
  id: 18,
  key: 'obv_slope',
  name: 'OBV slope',
  description: 'Trend of the on-balance volume over the window, in average bar volumes per bar.',
  source:
    'Granville; the slope of a least-squares line through on-balance volume, over the mean volume of the window, so that it compares across tickers.',
  parameters: [windowParameter(20, 2)],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const [close, volume] = [fieldOf(bars, 'close'), fieldOf(bars, 'volume')]
    const signed = signedVolume(close, volume)
    return overWindows(close.length, values.number('window'), (from, to) => {
      const usual = meanOf(volume, from, to)
      return usual > 0 ? slopeOfSum(signed, from, to) / usual : Number.NaN
    })
  },
})

/** Each bar's contribution to on-balance volume; the first bar has no direction. */
function signedVolume(close: Column, volume: Column): Column {
  return close.map((now, row) => (row === 0 ? Number.NaN : Math.sign(now - close[row - 1]!) * volume[row]!))
}

/**
 * Slope of the line through the running sum of the window. It begins at zero in each window, since a slope does not
 * depend on the level: one missing volume long ago would otherwise spoil all sums after it.
 */
function slopeOfSum(steps: Column, from: number, to: number): number {
  const n = to - from
  const middle = (n - 1) / 2
  let [sum, covariance] = [0, 0]
  for (let i = 0; i < n; i++) {
    sum += steps[from + i]!
    covariance += (i - middle) * sum
  }
  return covariance / ((n * (n * n - 1)) / 12)
}
