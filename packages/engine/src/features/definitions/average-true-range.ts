import { defineFeature, fieldOf } from '../feature.ts'
import { choiceParameter, windowParameter } from '../parameters.ts'
import { trueRange, wilderAverage } from '../formulas.ts'

export const averageTrueRange = defineFeature({
  id: 10,
  key: 'atr',
  name: 'Average true range',
  description: 'How far the price usually moves within a bar, in dollars or as a percent of the price.',
  source: 'Wilder 1978, TA-Lib ATR; the percent is TA-Lib NATR',
  parameters: [
    choiceParameter('output', 'Output', ['dollars', 'percent'], 'In price units, or in percent of the close.'),
    windowParameter(14),
  ],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const range = wilderAverage(trueRange(bars), values.number('window'))
    if (values.text('output') === 'dollars') return range
    const close = fieldOf(bars, 'close')
    return range.map((dollars, row) => (close[row] === 0 ? Number.NaN : (100 * dollars) / close[row]!))
  },
})
