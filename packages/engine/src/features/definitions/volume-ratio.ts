import { defineFeature } from '../feature.ts'
import { fieldOf } from '../feature-bars.ts'
import { windowParameter } from '../parameters.ts'
import { volumeRatio as indicator } from '../volume-ratio.ts'

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
