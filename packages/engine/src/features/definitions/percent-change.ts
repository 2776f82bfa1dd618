import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { percentChange as indicator } from '../formulas.ts'

export const percentChange = defineFeature({
  id: 1,
  key: 'percent_change',
  name: 'Percent change',
  description: 'Change over the window as a fraction: 0.01 is 1%.',
  source: 'TA-Lib ROCP',
  parameters: [windowParameter(1), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { period: values.number('window') }),
})
