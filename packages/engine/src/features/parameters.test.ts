import { expect, it } from 'vitest'
import { featureOf } from './catalogue.ts'
import { readParameters } from './parameters.ts'

const rsi = featureOf('rsi')
const read = (raw: Record<string, unknown>) => readParameters('RSI', rsi.parameters, { ticker: 'SPY', ...raw })

it('reads numbers from text, and takes defaults for what is absent', () => {
  expect(read({ window: '21' }).toRecord()).toEqual({ ticker: 'SPY', window: 21, field: 'close', lag: 0 })
})

it.each([
  [{ window: 0 }, 'RSI: window must be a whole number from 2 to 1000000, was 0.'],
  [{ window: 2.5 }, 'RSI: window must be a whole number from 2 to 1000000, was 2.5.'],
  [{ window: 'many' }, 'RSI: window must be a whole number from 2 to 1000000, was "many".'],
  [{ window: [14] }, 'RSI: window must be a whole number from 2 to 1000000, was [14].'],
  [{ field: 'colour' }, 'RSI: field must be one of open, high, low, close, volume, was "colour".'],
  [{ ticker: '' }, 'RSI: ticker is missing.'],
  [{ ticker: 5 }, 'RSI: ticker must be a text, was 5.'],
])('says what is wrong with %j', (raw, message) => {
  expect(() => read(raw)).toThrow(message)
})
