import type { Column } from '@tradewright/core/column'
import { defineFeature, type FeatureBars, fieldOf } from '../feature.ts'
import { choiceParameter, type ParameterDefinition, windowParameter } from '../parameters.ts'
import { rollingHigh, rollingLow, simpleMovingAverage } from '../formulas.ts'

const smoothing = (name: string, label: string, description: string): ParameterDefinition => ({
  name,
  label,
  type: 'int',
  default: 3,
  min: 1,
  max: 1000,
  step: 1,
  description,
})

export const stochastic = defineFeature({
  id: 14,
  key: 'stochastic',
  name: 'Stochastic oscillator',
  description: 'Where the close lies in the range of the window, 0 to 100 (%K), or its average (%D).',
  source: 'Lane; TA-Lib STOCH (slow) with simple averages',
  parameters: [
    choiceParameter('output', 'Output', ['k', 'd'], '%K, or its average %D.'),
    windowParameter(14),
    smoothing('smooth_k', 'Smoothing of %K', 'Bars that %K is averaged over; 1 is the fast stochastic.'),
    smoothing('smooth_d', 'Smoothing of %D', 'Bars of %K that %D is averaged over.'),
  ],
  warmUp: (values) =>
    values.number('window') +
    values.number('smooth_k') -
    2 +
    (values.text('output') === 'd' ? values.number('smooth_d') - 1 : 0),
  compute: ({ bars }, values) => {
    const fast = placeInRange(bars, values.number('window')).map((place) => 100 * place)
    const k = simpleMovingAverage.compute([fast], { window: values.number('smooth_k') })
    if (values.text('output') === 'k') return k
    return simpleMovingAverage.compute([k], { window: values.number('smooth_d') })
  },
})

/** 0 at the lowest low of the window, 1 at its highest high; in the middle where nothing moved. */
export function placeInRange(bars: FeatureBars, window: number): Column {
  const high = rollingHigh(fieldOf(bars, 'high'), window)
  const low = rollingLow(fieldOf(bars, 'low'), window)
  return fieldOf(bars, 'close').map((close, row) => {
    const range = high[row]! - low[row]!
    return range === 0 ? 0.5 : (close - low[row]!) / range
  })
}
