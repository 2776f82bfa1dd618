import { exponentialMovingAverage as indicator } from '../formulas.ts'
import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'

export const exponentialMovingAverage = defineFeature({
  id: 5,
  key: 'ema',
  name: 'Exponential moving average',
  description: 'Mean that gives recent bars more weight.',
  source: 'TA-Lib EMA',
  parameters: [windowParameter(20), fieldParameter()],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { window: values.number('window') }),
})
