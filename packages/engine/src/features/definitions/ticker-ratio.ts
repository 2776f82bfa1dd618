import { defineFeature, fieldOf, otherOf } from '../feature.ts'
import { fieldParameter, otherTickerParameter } from '../parameters.ts'

export const tickerRatio = defineFeature({
  id: 27,
  key: 'ratio',
  name: 'Ratio of two tickers',
  description: 'One value divided by the other.',
  source: 'a / b',
  parameters: [otherTickerParameter('TLT'), fieldParameter()],
  warmUp: () => 0,
  compute: (input, values) => {
    const other = fieldOf(otherOf(input), values.text('field'))
    return fieldOf(input.bars, values.text('field')).map((value, row) =>
      other[row] === 0 ? Number.NaN : value / other[row]!,
    )
  },
})
