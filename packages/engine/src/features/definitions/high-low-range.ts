import { defineFeature, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'
import { rollingHigh, rollingLow } from '../formulas.ts'

export const highLowRange = defineFeature({
  id: 20,
  key: 'high_low_range',
  name: 'High-low range',
  description: 'Highest high minus lowest low of the window, as a fraction of the close.',
  source: '(TA-Lib MAX of high - MIN of low) / close',
  parameters: [windowParameter(1)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const window = values.number('window')
    const [high, low] = [rollingHigh(fieldOf(bars, 'high'), window), rollingLow(fieldOf(bars, 'low'), window)]
    return fieldOf(bars, 'close').map((close, row) => (close === 0 ? Number.NaN : (high[row]! - low[row]!) / close))
  },
})
