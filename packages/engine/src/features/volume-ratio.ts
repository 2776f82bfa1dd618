import { type Indicator, inputAt, type WindowParameters } from './indicator.ts'
import { simpleMovingAverage } from './simple-moving-average.ts'

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
