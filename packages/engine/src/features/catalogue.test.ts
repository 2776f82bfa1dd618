import { describe, expect, it } from 'vitest'
import { sliceRows } from '../market/layers/rows.ts'
import type { SeriesTable } from '../market/series.ts'
import { allFeatures, featureOf } from './catalogue.ts'
import { type Feature, barsOf, besideRows } from './feature.ts'
import { type ParameterValues, readParameters } from './parameters.ts'
import { randomSeries } from './test-support/random-series.ts'

const ROWS = 420

/** Every output of a feature: one set of parameters for each choice it offers. */
function variantsOf(feature: Feature): ParameterValues[] {
  const defaults = Object.fromEntries(feature.parameters.map(({ name, default: value }) => [name, value]))
  const choice = feature.parameters.find(({ name }) => name === 'output')
  const outputs = choice?.options ?? [undefined]
  return outputs.map((output) => readParameters(feature.name, feature.parameters, { ...defaults, output }))
}

function seriesFor(feature: Feature, values: ParameterValues, isIrregular: boolean): [SeriesTable, SeriesTable] {
  const other = values.has('other_ticker') ? values.text('other_ticker') : 'TLT'
  // The other ticker has a calendar of its own, so that it must be joined as of what was known.
  return [
    randomSeries(values.text('ticker'), feature.id, ROWS, isIrregular),
    randomSeries(other, feature.id + 100, ROWS, !isIrregular),
  ]
}

const compute = (feature: Feature, values: ParameterValues, [table, other]: [SeriesTable, SeriesTable]) =>
  feature.compute({ bars: barsOf(table), other: besideRows(table, other) }, values)

/** Everything that was known at the row's close, and nothing after it. */
const cutAfter = ([table, other]: [SeriesTable, SeriesTable], rows: number): [SeriesTable, SeriesTable] => {
  const last = table.timestamps[rows - 1] ?? Number.NEGATIVE_INFINITY
  return [sliceRows(table, 0, rows), sliceRows(other, 0, other.timestamps.filter((stamp) => stamp <= last).length)]
}

/** Constant for 300 rows, then zero. */
const standingStill = (table: SeriesTable): SeriesTable => {
  const flat = table.timestamps.map((_, row) => (row < 300 ? 5 : 0))
  return { ...table, columns: Object.fromEntries(Object.keys(table.columns).map((name) => [name, flat])) }
}

describe.each(allFeatures)('$name', (feature) => {
  it.each([false, true])('never looks ahead, also on an irregular calendar (%s)', (isIrregular) => {
    for (const values of variantsOf(feature)) {
      const series = seriesFor(feature, values, isIrregular)
      const whole = compute(feature, values, series)
      for (const rows of [1, 37, 200, 333]) {
        expect(compute(feature, values, cutAfter(series, rows))).toEqual(whole.slice(0, rows))
      }
    }
  })

  it('has values from the end of its warm-up on, and none before', () => {
    for (const values of variantsOf(feature)) {
      const column = compute(feature, values, seriesFor(feature, values, false))
      const warmUp = feature.warmUp(values)
      expect(column.subarray(0, warmUp).every(Number.isNaN)).toBe(true)
      // An other ticker starts a little later where its calendar or its publication makes it.
      const settled = values.has('other_ticker') ? warmUp + 5 : warmUp
      expect(column.subarray(settled).some(Number.isNaN)).toBe(false)
    }
  })

  it('is never infinite, not even on a series that stands still or is zero', () => {
    for (const values of variantsOf(feature)) {
      const [table, other] = seriesFor(feature, values, false)
      const column = compute(feature, values, [standingStill(table), standingStill(other)])
      expect(column.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)).toBe(false)
    }
  })

  it('describes itself for the form [BT-099] [BT-101]', () => {
    expect(feature.description).toMatch(/\.$/)
    expect(feature.source).not.toBe('')
    expect(feature.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(['ticker', 'lag']))
    for (const { label, description, type, options } of feature.parameters) {
      expect(label).not.toBe('')
      expect(description).toMatch(/\.$/)
      expect(options !== undefined).toBe(type === 'select')
    }
  })
})

it('has an id of its own for every feature, and no gaps', () => {
  expect(allFeatures.map(({ id }) => id)).toEqual(allFeatures.map((_, i) => i + 1))
  expect(new Set(allFeatures.map(({ key }) => key)).size).toBe(allFeatures.length)
})

it('finds a feature by id, key or name, and says which one it does not know', () => {
  expect(featureOf('7')).toBe(featureOf(7))
  for (const feature of allFeatures) {
    for (const name of [feature.name, feature.name.toUpperCase(), feature.key]) expect(featureOf(name)).toBe(feature)
  }
  expect(() => featureOf('astrology')).toThrow('There is no feature "astrology".')
})

it('shifts a feature by its lag', () => {
  const feature = featureOf('percent_change')
  const series = randomSeries('SPY', 1, 50)
  const column = (lag: number) =>
    feature.compute(
      { bars: barsOf(series), other: undefined },
      readParameters('x', feature.parameters, { ticker: 'SPY', lag }),
    )
  expect(column(3).slice(3)).toEqual(column(0).slice(0, -3))
  expect(column(99).every(Number.isNaN)).toBe(true)
})
