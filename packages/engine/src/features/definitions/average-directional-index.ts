import type { Column } from '@tradewright/core/column'
import { defineFeature, type FeatureBars, fieldOf } from '../feature.ts'
import { choiceParameter, windowParameter } from '../parameters.ts'
import { trueRange, wilderAverage } from '../formulas.ts'

export const averageDirectionalIndex = defineFeature({
  id: 17,
  key: 'adx',
  name: 'ADX',
  description:
    'Average directional index: how strong the trend is, 0 to 100; or the strength of ups (+DI) or downs (-DI).',
  source:
    'Wilder 1978. Smoothing begins with the mean of the first full window; TA-Lib ADX begins with one value less, a difference that fades.',
  parameters: [
    choiceParameter('output', 'Output', ['adx', 'plus_di', 'minus_di'], 'The trend, or one of its two directions.'),
    windowParameter(14, 2),
  ],
  warmUp: (values) => (values.text('output') === 'adx' ? 2 * values.number('window') - 1 : values.number('window')),
  compute: ({ bars }, values) => {
    const window = values.number('window')
    const [plus, minus] = directionalIndexes(bars, window)
    if (values.text('output') === 'plus_di') return plus
    if (values.text('output') === 'minus_di') return minus
    const spread = plus.map((up, row) => spreadOf(up, minus[row]!))
    return wilderAverage(spread, window)
  },
})

const spreadOf = (up: number, down: number): number => (up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down))

function directionalIndexes(bars: FeatureBars, window: number): [plus: Column, minus: Column] {
  const [high, low] = [fieldOf(bars, 'high'), fieldOf(bars, 'low')]
  const range = wilderAverage(trueRange(bars), window)
  const indexOf = (movement: (row: number) => number) => {
    const moved = high.map((_, row) => (row === 0 ? Number.NaN : movement(row)))
    return wilderAverage(moved, window).map((move, row) => (range[row] === 0 ? 0 : (100 * move) / range[row]!))
  }
  const up = (row: number) => high[row]! - high[row - 1]!
  const down = (row: number) => low[row - 1]! - low[row]!
  // Only the larger of the two movements counts, and only outward.
  return [indexOf((row) => outward(up(row), down(row))), indexOf((row) => outward(down(row), up(row)))]
}

function outward(movement: number, other: number): number {
  if (Number.isNaN(movement) || Number.isNaN(other)) return Number.NaN
  return movement > other && movement > 0 ? movement : 0
}
