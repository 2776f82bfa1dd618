import { defineFeature, fieldOf, otherOf } from '../feature.ts'
import { fieldParameter, otherTickerParameter, windowParameter } from '../parameters.ts'
import { rollingCorrelation as indicator } from '../formulas.ts'

export const rollingCorrelation = defineFeature({
  id: 25,
  key: 'correlation',
  name: 'Rolling correlation',
  description: 'Correlation of the percent changes of two tickers over the window, -1 to 1.',
  source: "Pearson's correlation of simple returns",
  parameters: [otherTickerParameter('TLT'), windowParameter(60, 3), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: (input, values) => {
    const field = values.text('field')
    const inputs = [fieldOf(input.bars, field), fieldOf(otherOf(input), field)]
    return indicator.compute(inputs, { window: values.number('window') })
  },
})
