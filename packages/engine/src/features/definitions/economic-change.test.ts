import { priorCategory } from '@tradewright/core/category'
import { dayStamp } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { readParameters } from '../parameters.ts'
import { economicChange } from './economic-change.ts'

const change = (columns: Readonly<Record<string, Float64Array>>, output: string, window: number) => {
  const timestamps = Float64Array.from({ length: 4 }, (_, quarter) => dayStamp(20_000 + quarter * 91))
  const bars = { ticker: 'GDPC1', timestamps, columns, isObservation: true }
  const values = readParameters('Economic change', economicChange.parameters, { ticker: 'GDPC1', output, window })
  return economicChange.compute({ bars, other: undefined }, values)
}

it('does not take a new base year for a change of the economy, where vintages are known', () => {
  // Rebased from 100 to 200 before the last release: first releases jump, the announced changes do not.
  const value = Float64Array.of(100, 101, 102, 206)
  const vintages = { value, [priorCategory]: Float64Array.of(Number.NaN, 100, 101, 204) }
  expect(change(vintages, 'percent', 1)[3]).toBeCloseTo(206 / 204 - 1, 12)
  expect(change(vintages, 'percent', 2)[3]).toBeCloseTo((102 / 101) * (206 / 204) - 1, 12)
  expect(change(vintages, 'difference', 1)[3]).toBeCloseTo(2, 12)
  expect(change(vintages, 'difference', 2)[1]).toBeNaN()
  expect(change(vintages, 'percent', 1)[0]).toBeNaN()
  expect(change({ value }, 'percent', 1)[3]).toBeCloseTo(206 / 102 - 1, 12)
})
