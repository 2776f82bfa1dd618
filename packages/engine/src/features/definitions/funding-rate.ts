import { observationCategory } from '@tradewright/core/category'
import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { simpleMovingAverage } from '../formulas.ts'

export const fundingRate = defineFeature({
  id: 31,
  key: 'funding_rate',
  name: 'Funding rate',
  description: 'What longs pay shorts on a perpetual contract, averaged over the window.',
  source: 'mean of the last observations',
  exampleTicker: 'BTC-FR',
  parameters: [windowParameter(1)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) =>
    simpleMovingAverage.compute([fieldOf(bars, observationCategory)], { window: values.number('window') }),
})
