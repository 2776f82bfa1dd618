import { drawdown as indicator } from '../formulas.ts'
import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'

export const drawdown = defineFeature({
  id: 23,
  key: 'drawdown',
  name: 'Drawdown',
  description: 'How far the price lies below its peak: 0 at a new high, else negative. A window of 0 is all history.',
  source: 'price / running maximum - 1',
  parameters: [windowParameter(0, 0), fieldParameter()],
  warmUp: () => 0,
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { window: values.number('window') }),
})
