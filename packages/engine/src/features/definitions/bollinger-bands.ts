import { defineFeature, meanOf, overWindows, fieldOf } from '../feature.ts'
import { choiceParameter, fieldParameter, windowParameter } from '../parameters.ts'

export const bollingerBands = defineFeature({
  id: 9,
  key: 'bollinger',
  name: 'Bollinger bands',
  description: 'Where the price lies between the bands (%B: 0 is the lower, 1 the upper), or how wide they are.',
  source: 'Bollinger; TA-Lib BBANDS: simple average and population deviation (ddof 0). Width is over the middle band.',
  parameters: [
    choiceParameter('output', 'Output', ['percent_b', 'width'], 'Position between the bands, or their width.'),
    windowParameter(20, 2),
    {
      name: 'deviations',
      label: 'Deviations',
      type: 'float',
      default: 2,
      min: 0.1,
      max: 10,
      step: 0.1,
      description: 'Distance of the bands from the average in standard deviations.',
    },
    fieldParameter(),
  ],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const price = fieldOf(bars, values.text('field'))
    const deviations = values.number('deviations')
    const isWidth = values.text('output') === 'width'
    return overWindows(price.length, values.number('window'), (from, to) => {
      const middle = meanOf(price, from, to)
      const half = deviations * populationDeviation(price, from, to, middle)
      if (isWidth) return middle === 0 ? Number.NaN : (2 * half) / middle
      return half === 0 ? Number.NaN : (price[to - 1]! - (middle - half)) / (2 * half)
    })
  },
})

function populationDeviation(values: Float64Array, from: number, to: number, mean: number): number {
  let squares = 0
  for (let row = from; row < to; row++) squares += (values[row]! - mean) ** 2
  return Math.sqrt(squares / (to - from))
}
