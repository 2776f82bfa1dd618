import { observationCategory, priorCategory } from '@tradewright/core/category'
import type { Column } from '@tradewright/core/column'
import { defineFeature, overWindows, fieldOf } from '../feature.ts'
import { choiceParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const economicChange = defineFeature({
  id: 30,
  key: 'economic_change',
  name: 'Economic change',
  description: 'Change of an economic series over its own observations: twelve of a monthly series are a year.',
  source:
    'difference, or percent change as a fraction; where vintages are known, the changes as they were announced: each ' +
    'observation against the one before it as that was known on the day',
  exampleTicker: 'UNRATE',
  parameters: [
    choiceParameter('output', 'Output', ['difference', 'percent'], 'In its own unit, or as a fraction.'),
    windowParameter(1),
  ],
  warmUp: (values) => values.number('window'),
  compute: ({ bars }, values) => {
    const value = fieldOf(bars, observationCategory)
    const prior = bars.columns[priorCategory]
    const window = values.number('window')
    if (prior) return announcedChange(value, prior, window, values.text('output') === 'percent')
    if (values.text('output') === 'percent') return percentChange.compute([value], { period: window })
    return value.map((now, row) => (row < window ? Number.NaN : now - value[row - window]!))
  },
})

/** Steps added up or multiplied. An observation whose `prior` is not known is compared with the row before it. */
function announcedChange(value: Column, prior: Column, window: number, isPercent: boolean): Column {
  const before = (row: number) => (Number.isNaN(prior[row]!) ? (value[row - 1] ?? Number.NaN) : prior[row]!)
  const steps = value.map((now, row) => (isPercent ? now / before(row) : now - before(row)))
  const changes = overWindows(value.length, window, (from, to) => {
    const part = steps.subarray(from, to)
    return isPercent ? part.reduce((product, step) => product * step, 1) - 1 : part.reduce((sum, step) => sum + step, 0)
  })
  // The change over n observations needs the one before them, as it does without vintages.
  return changes.map((change, row) => (row < window || !Number.isFinite(change) ? Number.NaN : change))
}
