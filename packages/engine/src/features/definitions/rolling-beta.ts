import { defineFeature, meanOf, overWindows, fieldOf, otherOf } from '../feature.ts'
import { fieldParameter, otherTickerParameter, windowParameter } from '../parameters.ts'
import { percentChange } from '../formulas.ts'

export const rollingBeta = defineFeature({
  id: 26,
  key: 'beta',
  name: 'Rolling beta',
  description: 'How much the ticker moves per unit move of the other one, over the window.',
  source: 'TA-Lib BETA: covariance / variance of simple returns',
  exampleTicker: 'QQQ',
  parameters: [otherTickerParameter('SPY'), windowParameter(60, 3), fieldParameter()],
  warmUp: (values) => values.number('window'),
  compute: (input, values) => {
    const own = changesOf(fieldOf(input.bars, values.text('field')))
    const market = changesOf(fieldOf(otherOf(input), values.text('field')))
    return overWindows(own.length, values.number('window'), (from, to) => betaOf(own, market, from, to))
  },
})

const changesOf = (column: Float64Array): Float64Array => percentChange.compute([column], { period: 1 })

function betaOf(own: Float64Array, market: Float64Array, from: number, to: number): number {
  const [ownMean, marketMean] = [meanOf(own, from, to), meanOf(market, from, to)]
  let [covariance, variance] = [0, 0]
  for (let row = from; row < to; row++) {
    const deviation = market[row]! - marketMean
    covariance += (own[row]! - ownMean) * deviation
    variance += deviation * deviation
  }
  return variance < 1e-24 ? Number.NaN : covariance / variance
}
