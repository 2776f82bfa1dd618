import { observationCategory } from '@tradewright/core/category'
import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { simpleMovingAverage } from '../formulas.ts'

export const longShortRatio = defineFeature({
  id: 33,
  key: 'long_short_ratio',
  name: 'Long/short ratio',
  description: 'Long accounts per short account, averaged over the window.',
  source: 'mean of the last observations',
  exampleTicker: 'BTC-LS',
  parameters: [windowParameter(1)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) =>
    simpleMovingAverage.compute([fieldOf(bars, observationCategory)], { window: values.number('window') }),
})
