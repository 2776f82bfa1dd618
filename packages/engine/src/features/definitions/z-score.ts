import { defineFeature, meanOf, overWindows, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { sampleDeviation } from '../formulas.ts'

export const zScore = defineFeature({
  id: 12,
  key: 'z_score',
  name: 'Z-score',
  description: 'Distance from the mean of the window in standard deviations.',
  source: '(value - mean) / sample standard deviation (ddof 1) of the window',
  parameters: [windowParameter(20, 2), fieldParameter()],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const column = fieldOf(bars, values.text('field'))
    return overWindows(column.length, values.number('window'), (from, to) => {
      const deviation = sampleDeviation(column, from, to)
      return deviation === 0 ? Number.NaN : (column[to - 1]! - meanOf(column, from, to)) / deviation
    })
  },
})
