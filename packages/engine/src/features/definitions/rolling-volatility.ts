import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { rollingVolatility as indicator } from '../formulas.ts'

export const rollingVolatility = defineFeature({
  id: 11,
  key: 'volatility',
  name: 'Rolling volatility',
  description: 'Standard deviation of the percent changes in the window, per bar and not annualised.',
  source: 'sample standard deviation (ddof 1) of simple returns',
  parameters: [windowParameter(20, 2), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { window: values.number('window') }),
})
