import type { ParameterDefinition } from '@tradewright/contract/features'
import { expect, it } from 'vitest'
import { paramsSummary } from './catalogue.ts'

const definition = (name: string, label: string, preset: string | number): ParameterDefinition => ({
  name,
  label,
  type: 'string',
  default: preset,
  readonly: false,
  required: false,
  options: null,
  step: null,
  min: null,
  max: null,
  description: '',
})
const definitions = [
  definition('ticker', 'Ticker', 'QQQ'),
  definition('window', 'Window', 14),
  definition('field', 'Field', 'close'),
  definition('lag', 'Lag', 0),
]

it('names a parameter beside its value, and leaves out what is as usual', () => {
  expect(paramsSummary(definitions, { ticker: 'SPY' })).toBe('SPY · window 14')
  expect(paramsSummary(definitions, { ticker: 'SPY', window: 0, lag: '2' })).toBe('SPY · all history · lag 2')
})
