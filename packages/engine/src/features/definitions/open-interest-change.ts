import { observationCategory } from '@tradewright/core/category'
import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const openInterestChange = defineFeature({
  id: 32,
  key: 'open_interest_change',
  name: 'Open interest change',
  description: 'Change of the open interest over the window as a fraction.',
  source: 'TA-Lib ROCP of the observations',
  exampleTicker: 'BTC-OI',
  parameters: [windowParameter(1)],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) =>
    percentChange.compute([fieldOf(bars, observationCategory)], { period: values.number('window') }),
})
