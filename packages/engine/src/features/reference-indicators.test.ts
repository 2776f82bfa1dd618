import { dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { featureOf, targetOf } from './catalogue.ts'
import type { FeatureBars } from './feature.ts'
import { readParameters } from './parameters.ts'

type Parameters = Record<string, number | string>

interface FeatureReference {
  key: string
  parameters: Parameters
  /** The row from which it can be compared: TTR begins some sums with other values, a difference that fades. */
  from?: number
  values: (number | null)[]
}

/** R's TTR (reference/indicators.R), and pandas and statsmodels (reference/indicators.py). */
interface Reference {
  rows: number[]
  features: FeatureReference[]
}

interface PandasReference extends Reference {
  bars: number
  observation_features: FeatureReference[]
  targets: { key: string; parameters: Parameters; labels: string }[]
}

const ttr = referenceValues<Reference>('indicators-ttr')
const pandas = referenceValues<PandasReference>('indicators')

function barsOf(ticker: string, count?: number): FeatureBars {
  const { days, columns } = referencePrices(ticker)
  const first = (column: Float64Array) => column.subarray(0, count ?? column.length)
  return {
    ticker,
    timestamps: first(Float64Array.from(days, dayStamp)),
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, first(column)])),
    isObservation: columns['close'] === undefined,
  }
}

const inputs = { bars: barsOf('SPY', pandas.bars), other: barsOf('TLT', pandas.bars) }

function featureColumn({ key, parameters }: FeatureReference, bars = inputs.bars): Float64Array {
  const feature = featureOf(key)
  const values = readParameters(feature.name, feature.parameters, { ticker: bars.ticker, ...parameters })
  return feature.compute({ ...inputs, bars }, values)
}

const named = (references: readonly FeatureReference[]) =>
  references.map((one) => [`${one.key} ${JSON.stringify(one.parameters)}`, one] as const)

describe('a feature', () => {
  it.each(named(ttr.features))('has the values of TTR, warm-up included: %s', (name, theirs) => {
    const ours = featureColumn(theirs)
    const { from = 0 } = theirs
    const rows = ttr.rows.filter((row) => row >= from)
    const values = theirs.values.slice(-rows.length)
    expectColumn(
      rows.map((row) => ours[row]!),
      values,
      name,
      from === 0 ? undefined : 1e-5,
    )
  })

  it.each(named(pandas.features))('has the values of pandas, warm-up included: %s', (name, theirs) => {
    const ours = featureColumn(theirs)
    expectColumn(
      pandas.rows.map((row) => ours[row]!),
      theirs.values,
      name,
    )
  })

  it.each(named(pandas.observation_features))('of observations has the values of pandas: %s', (name, theirs) => {
    expectColumn(featureColumn(theirs, barsOf('UNRATE')), theirs.values, name)
  })
})

describe('a target', () => {
  it.each(pandas.targets)('has the labels of pandas: $key', ({ key, parameters, labels }) => {
    const target = targetOf(key)
    const values = readParameters(target.name, target.parameters, { ticker: 'SPY', ...parameters })
    const ours = target.compute(inputs, values)
    expect(ours.map((label) => label ?? '-').join('')).toBe(labels)
  })
})
