import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { simpleMovingAverage as indicator } from '../formulas.ts'

export const simpleMovingAverage = defineFeature({
  id: 4,
  key: 'sma',
  name: 'Simple moving average',
  description: 'Mean of the last bars.',
  source: 'TA-Lib SMA',
  parameters: [windowParameter(20), fieldParameter()],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { window: values.number('window') }),
})
