import { defineFeature, fieldOf } from '../feature.ts'
import { choiceParameter, fieldParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const momentum = defineFeature({
  id: 13,
  key: 'momentum',
  name: 'Momentum / rate of change',
  description: 'Change over the window in percent (rate of change) or in price units (momentum).',
  source: 'TA-Lib ROC and MOM',
  parameters: [
    choiceParameter('output', 'Output', ['percent', 'difference'], 'In percent, or in price units.'),
    windowParameter(10),
    fieldParameter(),
  ],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const column = fieldOf(bars, values.text('field'))
    const window = values.number('window')
    if (values.text('output') === 'percent') {
      return percentChange.compute([column], { period: window }).map((change) => 100 * change)
    }
    return column.map((now, row) => (row < window ? Number.NaN : now - column[row - window]!))
  },
})
