import type { Feature, ParameterDefinition } from '@tradewright/contract/features'
import type { ChosenFeature } from '@tradewright/contract/optimization-results'
import { describe, expect, it } from 'vitest'
import { newForm, type OptimizerForm } from './form/form.ts'
import { nothingToOffer, offeredSeeds, readSeed, seedSummary, seedWarnings } from './seeds.ts'

const parameter = (name: string, type: ParameterDefinition['type']): ParameterDefinition => ({
  name,
  label: name,
  type,
  default: 1,
  readonly: false,
  required: false,
  options: null,
  step: null,
  min: null,
  max: null,
  description: '',
})

const rsi: Feature = {
  id: 5,
  key: 'rsi',
  name: 'RSI',
  description: '',
  source: '',
  config: { params_def: [parameter('ticker', 'string'), parameter('window', 'int'), parameter('field', 'select')] },
}

const form: OptimizerForm = {
  ...newForm('2026-11-14'),
  relatedTickers: 'SPY',
  featureTypes: [{ id: 5, name: 'RSI', ranges: { window: '7, 14', field: 'close' } }],
}
const good = { ticker: 'spy', window: '14', field: 'close' }

describe('adding a seed', () => {
  it('makes numbers of whole and decimal parameters [OPT-092]', () => {
    expect(readSeed(rsi, good, form)).toEqual({
      seed: { id: 5, name: 'RSI', params: { ticker: 'SPY', window: 14, field: 'close' } },
    })
  })

  it.each([
    ['a missing parameter [OPT-087]', { ...good, window: ' ' }, form, 'window is required'],
    ['a ticker that is no asset [OPT-088]', { ...good, ticker: 'TLT' }, form, 'ticker must be one of: BTC-USD, SPY'],
    ['a value outside its range [OPT-089]', { ...good, window: 9 }, form, 'window must be one of: 7, 14'],
    [
      'a parameter without a range [OPT-090]',
      good,
      { ...form, featureTypes: [{ id: 5, name: 'RSI', ranges: { window: '14' } }] },
      'field is not configured in Feature Parameters section',
    ],
  ])('refuses %s', (_, params, given, sentence) => {
    expect(readSeed(rsi, params, given)).toEqual({ refusal: `Validation errors: ${sentence}` })
  })

  it('joins all errors [OPT-091]', () => {
    expect(readSeed(rsi, { ticker: '', window: 9, field: 'close' }, form)).toEqual({
      refusal: 'Validation errors: ticker is required, window must be one of: 7, 14',
    })
  })

  it('refuses the same seed twice [OPT-093]', () => {
    const seeds = [{ id: 5, name: 'RSI', params: { ticker: 'SPY', window: 14, field: 'close' } }]
    expect(readSeed(rsi, good, { ...form, seeds })).toEqual({ refusal: 'This exact seed feature already exists' })
  })
})

it('flags every way in which a seed does not fit [OPT-094]', () => {
  const seeds = [
    { id: 9, name: 'MACD', params: {} },
    { id: 5, name: 'RSI', params: { ticker: 'TLT', window: 9, lag: 1 } },
  ]
  expect(seedWarnings({ ...form, seeds })).toEqual([
    'MACD: feature type not selected',
    'RSI: field is missing',
    'RSI: ticker TLT is not among the assets',
    'RSI: window 9 is outside the range (7, 14)',
    'RSI: lag is not configured',
  ])
})

describe('seeds from a run', () => {
  const best = (params: ChosenFeature['params']): ChosenFeature => ({
    id: 5,
    type: 'rsi',
    name: 'RSI',
    label: 'RSI',
    params,
  })
  const fits = best({ ticker: 'SPY', window: 7, field: 'close' })
  const fitsNot = best({ ticker: 'SPY', window: 8, field: 'close' })

  it('skip what does not fit [OPT-095]', () => {
    expect(offeredSeeds([fits, fitsNot], form)).toEqual({
      seeds: [{ id: 5, name: 'RSI', params: fits.params }],
      skipped: 1,
    })
    expect(nothingToOffer([fits, fitsNot], form)).toBeNull()
  })

  it('say when none fits, and when there are none [OPT-095, OPT-096]', () => {
    expect(nothingToOffer([fitsNot, fitsNot], form)).toBe(
      'No compatible features found in historical run. All 2 features were skipped due to configuration differences.',
    )
    expect(nothingToOffer([], form)).toBe('No features found in selected optimization run')
  })
})

it('shows the parameters of a seed in the order of the catalogue, and as they are without one', () => {
  const seed = { id: 5, name: 'RSI', params: { field: 'close', ticker: 'SPY', window: 14 } }
  expect(seedSummary(seed, [rsi])).toBe('SPY · window 14 · field close')
  expect(seedSummary(seed, [])).toBe('close · SPY · 14')
})
