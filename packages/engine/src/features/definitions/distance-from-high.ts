import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { rollingHigh } from '../formulas.ts'

export const distanceFromHigh = defineFeature({
  id: 21,
  key: 'distance_from_high',
  name: 'Distance from n-bar high',
  description: 'How far the close lies below the highest high of the window: 0 at the high, else negative.',
  source: 'close / TA-Lib MAX of high - 1',
  parameters: [windowParameter(252)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const high = rollingHigh(fieldOf(bars, 'high'), values.number('window'))
    return fieldOf(bars, 'close').map((close, row) => (high[row] === 0 ? Number.NaN : close / high[row]! - 1))
  },
})
