import { expect, it } from 'vitest'
import {
  granularities,
  granularityMillis,
  parseGranularity,
  studioGranularities,
  toStudioGranularity,
} from './granularity.ts'

it('offers 1m, 5m, 15m, 30m, 1h and 1d [DATA-141]', () => {
  expect(granularities).toEqual(['1m', '5m', '15m', '30m', '1h', '1d'])
})

it('reads the words of the Studio and of the Collector [BT-164]', () => {
  expect(studioGranularities.map(parseGranularity)).toEqual(['1d', '1h', '15m', '5m', '1m'])
  expect(granularities.map(parseGranularity)).toEqual(granularities)
  expect(parseGranularity('weekly')).toBeUndefined()
  expect(parseGranularity('constructor')).toBeUndefined()
})

it('turns back every word of the Studio, and knows that 30m has none', () => {
  for (const word of studioGranularities) expect(toStudioGranularity(parseGranularity(word)!)).toBe(word)
  expect(toStudioGranularity('30m')).toBeUndefined()
})

it('grows from one step to the next', () => {
  const steps = granularities.map(granularityMillis)
  expect(steps.toSorted((a, b) => a - b)).toEqual(steps)
})
