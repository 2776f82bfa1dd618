import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barsOf, type FeatureBars, type Label, type Target } from '../feature.ts'
import { type ParameterValues, readParameters } from '../parameters.ts'
import { allTargets, targetOf } from '../catalogue.ts'
import { randomSeries } from '../test-support/random-series.ts'

const valuesOf = (target: Target, raw: Record<string, unknown> = {}): ParameterValues =>
  readParameters(target.name, target.parameters, { ticker: 'SPY', other_ticker: 'TLT', ...raw })

const plainBars = (column: readonly number[], extra = {}) => ({
  ticker: 'SPY',
  timestamps: new Float64Array(column.length),
  columns: { close: Float64Array.from(column), ...extra },
  isObservation: false,
})

function labels(key: string, close: readonly number[], raw: Record<string, unknown> = {}, more = {}): Label[] {
  const target = targetOf(key)
  const other = plainBars(close.map((_, i) => 100 + i))
  return target.compute({ bars: plainBars(close, more), other }, valuesOf(target, raw))
}

const firstRows = (bars: FeatureBars, count: number): FeatureBars => ({
  ...bars,
  timestamps: bars.timestamps.slice(0, count),
  columns: Object.fromEntries(Object.entries(bars.columns).map(([name, column]) => [name, column.slice(0, count)])),
})

const barrier = (close: readonly number[], more = {}) =>
  labels('triple_barrier', close, { horizon: 3, profit: 5, loss: 5 }, more)[0]

describe.each(allTargets)('$name', (target) => {
  it('knows a label as soon as its horizon is over, and not before', () => {
    const values = valuesOf(target)
    const horizon = target.horizon(values)
    const series = barsOf(randomSeries('SPY', target.id, 300))
    const whole = target.compute({ bars: series, other: barsOf(randomSeries('TLT', 9, 300)) }, values)
    expect(whole.slice(-horizon)).toEqual(Array.from({ length: horizon }, () => null))
    expect(whole.slice(100, -horizon)).not.toContain(null)
    const early = target.compute(
      { bars: firstRows(series, 200), other: firstRows(barsOf(randomSeries('TLT', 9, 300)), 200) },
      values,
    )
    expect(early.slice(0, 200 - horizon)).toEqual(whole.slice(0, 200 - horizon))
    expect(early.slice(200 - horizon).every((label) => label === null)).toBe(true)
  })

  it('describes itself for the form [BT-102]', () => {
    expect(target.description).toMatch(/\.$/)
    expect(target.parameters[0]?.name).toBe('ticker')
  })
})

it('has an integer id of its own for every target', () => {
  expect(allTargets.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(() => targetOf(99)).toThrow('There is no target "99".')
})

it('calls a rise 1 and anything else 0', () => {
  expect(labels('next_bar_direction', [10, 11, 11, 9])).toEqual([1, 0, 0, null])
  expect(labels('n_bar_direction', [10, 11, 12, 9], { horizon: 2 })).toEqual([1, 0, null, null])
})

it('wants a return above the threshold, in percent', () => {
  expect(labels('return_above_threshold', [100, 101, 103, 103], { horizon: 1, threshold: 1.5 })).toEqual([
    0,
    1,
    0,
    null,
  ])
})

it('does not know a label where a price is missing', () => {
  expect(labels('next_bar_direction', [10, Number.NaN, 11])).toEqual([null, null, null])
})

describe('the triple barrier', () => {
  it('asks which barrier is touched first', () => {
    expect(barrier([100, 101, 106, 90])).toBe(1)
    expect(barrier([100, 94, 106, 120])).toBe(0)
  })

  it('falls back to the gain at the end', () => {
    expect(barrier([100, 101, 99, 102])).toBe(1)
    expect(barrier([100, 101, 99, 100])).toBe(0)
  })

  it('assumes the loss when one bar touches both', () => {
    const more = { high: Float64Array.of(100, 110, 100, 100), low: Float64Array.of(100, 90, 100, 100) }
    expect(barrier([100, 100, 100, 100], more)).toBe(0)
  })
})

it('compares two tickers over the same bars', () => {
  expect(labels('beats_ticker', [100, 103, 103, 104], { horizon: 1 })).toEqual([1, 0, 0, null])
})

it('gives the same labels when all prices are scaled', () => {
  const prices = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 90, maxLength: 90 })
  fc.assert(
    fc.property(prices, (close) => {
      const others = new Set(['beats_ticker', 'own_column_above'])
      for (const { key } of allTargets.filter((target) => !others.has(target.key))) {
        expect(
          labels(
            key,
            close.map((price) => price * 4),
          ),
        ).toEqual(labels(key, close))
      }
    }),
    { numRuns: 20 },
  )
})
