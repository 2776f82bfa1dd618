import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { relativeStrengthIndex as indicator } from '../formulas.ts'

export const relativeStrengthIndex = defineFeature({
  id: 7,
  key: 'rsi',
  name: 'RSI',
  description: 'Relative strength index, 0 to 100: the share of gains in the recent ups and downs.',
  source: 'Wilder 1978, TA-Lib RSI',
  parameters: [windowParameter(14, 2), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    indicator.compute([fieldOf(bars, values.text('field'))], { window: values.number('window') }),
})
