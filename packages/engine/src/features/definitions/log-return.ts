import { defineFeature, fieldOf } from '../feature.ts'
import { logReturn as indicator } from '../formulas.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'

export const logReturn = defineFeature({
  id: 2,
  key: 'log_return',
  name: 'Log return',
  description: 'Natural logarithm of the growth over the window.',
  source: 'ln(price / price n bars ago)',
  parameters: [windowParameter(1), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { period: values.number('window') }),
})
