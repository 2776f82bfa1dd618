import { assertWholeNumber, type Indicator, inputAt, meanOf, overWindows, type WindowParameters } from './indicator.ts'

/** TA-Lib's SMA: the mean of the last n values. */
export const simpleMovingAverage: Indicator<WindowParameters> = {
  id: 'sma',
  defaults: { window: 20 },
  warmUp: ({ window }) => window - 1,
  compute(inputs, { window }) {
    assertWholeNumber('window', window, 1)
    const values = inputAt(inputs, 0)
    return overWindows(values.length, window, (from, to) => meanOf(values, from, to))
  },
}
