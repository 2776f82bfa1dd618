import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { volumeRatio as indicator } from '../formulas.ts'

export const volumeRatio = defineFeature({
  id: 19,
  key: 'volume_ratio',
  name: 'Volume ratio',
  description: 'Volume as a multiple of its average over the window.',
  source: 'volume / TA-Lib SMA of volume',
  parameters: [windowParameter(20)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => indicator.compute([fieldOf(bars, 'volume')], { window: values.number('window') }),
})
