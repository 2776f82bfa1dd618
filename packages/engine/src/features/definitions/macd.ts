import type { Column } from '@tradewright/core/column'
import { exponentialMovingAverage } from '../formulas.ts'
import { defineFeature, fieldOf } from '../feature.ts'
import { choiceParameter, fieldParameter, type ParameterDefinition, type ParameterValues } from '../parameters.ts'

const span = (name: string, label: string, bars: number): ParameterDefinition => ({
  name,
  label,
  type: 'int',
  default: bars,
  min: 1,
  max: 100_000,
  step: 1,
  description: 'In bars.',
})

const average = (values: Column, window: number): Column => exponentialMovingAverage.compute([values], { window })

const minus = (a: Column, b: Column): Column => a.map((value, row) => value - b[row]!)

const lineWarmUp = (values: ParameterValues) => Math.max(values.number('fast'), values.number('slow')) - 1

export const macd = defineFeature({
  id: 8,
  key: 'macd',
  name: 'MACD',
  description: 'Fast minus slow exponential average (line), its own average (signal), or their difference (histogram).',
  source:
    'Appel. Both averages begin with their own first full window; TA-Lib starts the fast one together with the slow one, a difference that fades within some fifty bars.',
  parameters: [
    choiceParameter('output', 'Output', ['line', 'signal', 'histogram'], 'Which of the three curves.'),
    span('fast', 'Fast', 12),
    span('slow', 'Slow', 26),
    span('signal', 'Signal', 9),
    fieldParameter(),
  ],
  warmUp: (values) => lineWarmUp(values) + (values.text('output') === 'line' ? 0 : values.number('signal') - 1),
  compute: ({ bars }, values) => {
    const price = fieldOf(bars, values.text('field'))
    const line = minus(average(price, values.number('fast')), average(price, values.number('slow')))
    if (values.text('output') === 'line') return line
    const signal = average(line, values.number('signal'))
    return values.text('output') === 'signal' ? signal : minus(line, signal)
  },
})
