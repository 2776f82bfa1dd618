import { assertWholeNumber, type Indicator, inputAt, windowMeans, type WindowParameters } from './indicator.ts'

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
