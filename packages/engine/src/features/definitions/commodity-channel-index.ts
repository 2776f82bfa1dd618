import { defineFeature, meanOf, overWindows, fieldOf } from '../feature.ts'
import { windowParameter } from '../parameters.ts'

/** Lambert's constant, which puts most values between -100 and 100. */
const SCALE = 0.015

export const commodityChannelIndex = defineFeature({
  id: 16,
  key: 'cci',
  name: 'Commodity channel index',
  description: 'Distance of the typical price from its average in mean deviations.',
  source: 'Lambert 1980, TA-Lib CCI',
  parameters: [windowParameter(20, 2)],
  warmUp: (values) => values.number('window') - 1,
  compute: ({ bars }, values) => {
    const [high, low, close] = [fieldOf(bars, 'high'), fieldOf(bars, 'low'), fieldOf(bars, 'close')]
    const typical = close.map((price, row) => (price + high[row]! + low[row]!) / 3)
    return overWindows(typical.length, values.number('window'), (from, to) => {
      const mean = meanOf(typical, from, to)
      let deviation = 0
      for (let row = from; row < to; row++) deviation += Math.abs(typical[row]! - mean)
      deviation /= to - from
      return deviation === 0 ? 0 : (typical[to - 1]! - mean) / (SCALE * deviation)
    })
  },
})
