import { observationCategory } from '@tradewright/core/category'
import { defineFeature, fieldOf } from '../feature.ts'

export const economicLevel = defineFeature({
  id: 29,
  key: 'economic_level',
  name: 'Economic level or yield',
  description: 'The last published value of an economic series, such as a yield or the unemployment rate.',
  source: 'as published, from its publication date on',
  exampleTicker: 'DGS10',
  parameters: [],
  warmUp: () => 0,
  compute: ({ bars }) => fieldOf(bars, observationCategory),
})
