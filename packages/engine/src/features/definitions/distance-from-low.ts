import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { rollingLow } from '../formulas.ts'

export const distanceFromLow = defineFeature({
  id: 22,
  key: 'distance_from_low',
  name: 'Distance from n-bar low',
  description: 'How far the close lies above the lowest low of the window: 0 at the low.',
  source: 'close / TA-Lib MIN of low - 1',
  parameters: [windowParameter(252)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const low = rollingLow(fieldOf(bars, 'low'), values.number('window'))
    return fieldOf(bars, 'close').map((close, row) => (low[row] === 0 ? Number.NaN : close / low[row]! - 1))
  },
})
