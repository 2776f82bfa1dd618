import { defineFeature, meanOf, overWindows, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const skewness = defineFeature({
  id: 24,
  key: 'skew',
  name: 'Skew',
  description: 'Skewness of the percent changes in the window: negative when falls are larger than rises.',
  source: 'adjusted Fisher-Pearson skewness, as pandas skew()',
  parameters: [windowParameter(60, 3), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const changes = percentChange.compute([fieldOf(bars, values.text('field'))], { period: 1 })
    return overWindows(changes.length, values.number('window'), (from, to) => skewOf(changes, from, to))
  },
})

function skewOf(values: Float64Array, from: number, to: number): number {
  const n = to - from
  const mean = meanOf(values, from, to)
  let [squares, cubes] = [0, 0]
  for (let row = from; row < to; row++) {
    const deviation = values[row]! - mean
    squares += deviation * deviation
    cubes += deviation * deviation * deviation
  }
  // Rounding leaves a trace of movement on a price that stands still.
  if (squares < 1e-24) return Number.NaN
  return ((cubes / n / (squares / n) ** 1.5) * Math.sqrt(n * (n - 1))) / (n - 2)
}
