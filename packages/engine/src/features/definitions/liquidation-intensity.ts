import { observationCategory } from '@tradewright/core/category'
import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { volumeRatio } from '../formulas.ts'

export const liquidationIntensity = defineFeature({
  id: 34,
  key: 'liquidation_intensity',
  name: 'Liquidation intensity',
  description: 'Liquidated value as a multiple of its average over the window.',
  source: 'value / TA-Lib SMA of the values',
  exampleTicker: 'BTC-LIQ',
  parameters: [windowParameter(20)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) =>
    volumeRatio.compute([fieldOf(bars, observationCategory)], { window: values.number('window') }),
})
