import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const laggedReturn = defineFeature({
  id: 3,
  key: 'lagged_return',
  name: 'Lagged return',
  description: 'Change over the window ending this many bars ago.',
  source: 'TA-Lib ROCP, shifted',
  parameters: [windowParameter(1), fieldParameter()],
  defaultLag: 1,
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    percentChange.compute([fieldOf(bars, values.text('field'))], { period: values.number('window') }),
})
