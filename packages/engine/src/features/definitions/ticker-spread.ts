import { defineFeature, fieldOf, otherOf } from '../feature.ts'
import { fieldParameter, otherTickerParameter } from '../parameters.ts'

export const tickerSpread = defineFeature({
  id: 28,
  key: 'spread',
  name: 'Spread of two tickers',
  description: 'One value minus the other, such as a ten-year minus a two-year yield.',
  source: 'a - b',
  exampleTicker: 'DGS10',
  parameters: [otherTickerParameter('DGS2'), fieldParameter()],
  warmUp: () => 0,
  compute: (input, values) => {
    const other = fieldOf(otherOf(input), values.text('field'))
    return fieldOf(input.bars, values.text('field')).map((value, row) => value - other[row]!)
  },
})
