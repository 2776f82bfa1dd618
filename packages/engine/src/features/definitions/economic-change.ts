import { observationCategory } from '@tradewright/core/category'
import { defineFeature } from '../feature.ts'
import { fieldOf } from '../feature-bars.ts'
import { choiceParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../percent-change.ts'

export const economicChange = defineFeature({
  id: 30,
  key: 'economic_change',
  name: 'Economic change',
  description: 'Change of an economic series over its own observations: twelve of a monthly series are a year.',
  source: 'difference, or percent change as a fraction',
  exampleTicker: 'UNRATE',
  parameters: [
    choiceParameter('output', 'Output', ['difference', 'percent'], 'In its own unit, or as a fraction.'),
    windowParameter(1),
  ],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const value = fieldOf(bars, observationCategory)
    const window = values.number('window')
    if (values.text('output') === 'percent') return percentChange.compute([value], { period: window })
    return value.map((now, row) => (row < window ? Number.NaN : now - value[row - window]!))
  },
})
