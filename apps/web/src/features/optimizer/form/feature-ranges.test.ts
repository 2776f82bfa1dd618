import type { Feature, ParameterDefinition } from '@tradewright/contract/features'
import { expect, it } from 'vitest'
import { featureTypeOf, hasWindowFeature, parseRange, withFeature } from './form.ts'

const parameter = (name: string, preset: number | string, min: number | null = null): ParameterDefinition => ({
  name,
  label: name,
  type: typeof preset === 'number' ? 'int' : 'string',
  default: preset,
  readonly: false,
  required: false,
  options: null,
  step: null,
  min,
  max: null,
  description: '',
})

const feature = (id: number, ...params_def: ParameterDefinition[]): Feature => ({
  id,
  key: `f${id}`,
  name: `Feature ${id}`,
  description: '',
  source: '',
  config: { params_def },
})

const rsi = feature(5, parameter('ticker', 'SPY'), parameter('window', 14, 10), parameter('lag', 0))

it('reads comma-separated values, numbers where they are numeric [OPT-081]', () => {
  expect(parseRange('5, 10,close, 5')).toEqual([5, 10, 'close'])
  expect(parseRange(' , ')).toEqual([])
})

it('offers the usual window sizes that a feature allows, and no range for tickers [OPT-138]', () => {
  expect(featureTypeOf(rsi)).toEqual({ id: 5, name: 'Feature 5', ranges: { window: '10, 14, 20, 30', lag: '0' } })
})

it('knows whether any feature is window-based [OPT-114]', () => {
  expect(hasWindowFeature([featureTypeOf(rsi)])).toBe(true)
  expect(hasWindowFeature([featureTypeOf(feature(1, parameter('lag', 1)))])).toBe(false)
})

it('makes room for one feature: a new kind with its values, or more values of a known kind', () => {
  const params = { ticker: 'QQQ', window: 14, lag: 3 }
  const added = withFeature([], rsi, params)
  expect(added).toEqual([{ id: 5, name: 'Feature 5', ranges: { window: '14', lag: '3' } }])
  expect(withFeature(added, rsi, { ticker: 'QQQ', window: 20, lag: 3 })).toEqual([
    { id: 5, name: 'Feature 5', ranges: { window: '14, 20', lag: '3' } },
  ])
})
