import { defineFeature } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { placeInRange } from './stochastic.ts'

export const williamsR = defineFeature({
  id: 15,
  key: 'williams_r',
  name: 'Williams %R',
  description: 'Where the close lies in the range of the window: 0 at its high, -100 at its low.',
  source: 'TA-Lib WILLR',
  parameters: [windowParameter(14)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => placeInRange(bars, values.number('window')).map((place) => 100 * (place - 1)),
})
