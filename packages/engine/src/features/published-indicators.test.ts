import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv, readSharedJson } from '../../../../scripts/shared-data.ts'
import { featureOf } from './catalogue.ts'
import { readParameters } from './parameters.ts'

function computed(key: string, columns: Record<string, Float64Array>, parameters: Record<string, number | string>) {
  const feature = featureOf(key)
  const values = readParameters(feature.name, feature.parameters, { ticker: 'SPY', ...parameters })
  const timestamps = new Float64Array(columns['close']!.length)
  return feature.compute(
    { bars: { ticker: 'SPY', timestamps, columns, isObservation: false }, other: undefined },
    values,
  )
}

const spy = 'data/reference/indicators_spy_2017_2018.csv'

describe.skipIf(!hasShared(spy))(claim('two years of SPY computed by others', spy), () => {
  it.each([
    ['sma20', 'sma', { window: 20 }],
    ['ema20', 'ema', { window: 20 }],
    ['rsi14', 'rsi', { window: 14 }],
    ['macd_12_26', 'macd', { output: 'line' }],
    ['macd_signal_9', 'macd', { output: 'signal' }],
    ['macd_histogram', 'macd', { output: 'histogram' }],
    ['bb_percent_b', 'bollinger', { output: 'percent_b' }],
    ['atr14', 'atr', { output: 'dollars' }],
    ['stoch_k_14_3', 'stochastic', { output: 'k' }],
    ['stoch_d_3', 'stochastic', { output: 'd' }],
    ['plus_di14', 'adx', { output: 'plus_di' }],
    ['minus_di14', 'adx', { output: 'minus_di' }],
    ['adx14', 'adx', { output: 'adx' }],
  ] as const)('agree on %s, warm-up included', (column, key, parameters) => {
    const csv = readSharedCsv(spy)
    const bars = Object.fromEntries(
      ['open', 'high', 'low', 'close', 'volume'].map((name) => [name, numbers(csv[name])]),
    )
    const ours = computed(key, bars, parameters)
    numbers(csv[column]).forEach((theirs, row) => {
      if (Number.isNaN(theirs)) expect(ours[row], `row ${row}`).toBeNaN()
      // They print twelve significant digits.
      else expect(Math.abs(ours[row]! - theirs), `row ${row}`).toBeLessThan(1e-8)
    })
  })
})

const tulip = 'data/reference/indicators_tulip.json'

interface TulipCase {
  indicator: string
  options: Record<string, number>
  inputs: Record<string, number[]>
  expected: Record<string, number[]>
}

// Their ATR takes the first bar's range for a true range, TA-Lib's does not; it is compared above.
describe.skipIf(!hasShared(tulip))(claim('the examples of Tulip Indicators', tulip), () => {
  it.each([
    ['cci', 'cci', {}],
    ['willr', 'williams_r', {}],
    ['mom', 'momentum', { output: 'difference' }],
    ['stoch', 'stochastic', { output: 'k', smooth_k: 3 }],
    ['sma', 'sma', {}],
    ['rsi', 'rsi', {}],
  ] as const)('agree on %s', (name, key, parameters) => {
    const { cases } = readSharedJson<{ cases: TulipCase[] }>(tulip)
    const { inputs, expected } = cases.find(({ indicator }) => indicator === name)!
    const columns = Object.fromEntries(
      Object.entries(inputs).map(([input, values]) => [input === 'real' ? 'close' : input, Float64Array.from(values)]),
    )
    const ours = computed(key, columns, { window: 5, ...parameters })
    const theirs = Object.values(expected)[0]!
    theirs.forEach((value, i) => expect(ours[ours.length - theirs.length + i]).toBeCloseTo(value, 2))
  })
})
