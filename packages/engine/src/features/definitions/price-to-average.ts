import { defineFeature, fieldOf } from '../feature.ts'
import { fieldParameter, windowParameter } from '../parameters.ts'
import { simpleMovingAverage } from '../formulas.ts'

export const priceToAverage = defineFeature({
  id: 6,
  key: 'price_sma_ratio',
  name: 'Price / SMA ratio',
  description: 'Price over its simple moving average: above 1 it is higher than usual.',
  source: 'price / TA-Lib SMA',
  parameters: [windowParameter(50), fieldParameter()],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const price = fieldOf(bars, values.text('field'))
    const average = simpleMovingAverage.compute([price], { window: values.number('window') })
    return price.map((now, row) => (average[row] === 0 ? Number.NaN : now / average[row]!))
  },
})
