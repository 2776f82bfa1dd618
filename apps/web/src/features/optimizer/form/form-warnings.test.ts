import { expect, it } from 'vitest'
import { newForm } from './form.ts'
import { refusalOf, warningsOf } from './form-request.ts'

const fresh = newForm('2026-11-14')
const ready = {
  ...fresh,
  featureTypes: [{ id: 5, name: 'RSI', ranges: {} }],
  target: { id: 1, params: {} },
}

it('says why the run button is disabled [OPT-074..078]', () => {
  expect(warningsOf({ ...fresh, startDate: '', endDate: '' })).toEqual([
    'Select at least one feature type',
    'Choose a target for prediction',
    'Set start date for backtest period',
    'Set end date for backtest period',
  ])
  expect(warningsOf(ready)).toEqual([])
})

it('refuses to run without a target ticker [OPT-079]', () => {
  expect(refusalOf({ ...ready, targetTickers: ' , ' })).toBe(
    'Add at least one target ticker before running the optimizer.',
  )
  expect(refusalOf(ready)).toBeNull()
})

it('refuses to run with a target whose id is no number [OPT-080]', () => {
  expect(refusalOf({ ...ready, target: { id: 'next_bar', params: {} } })).toBe(
    'Select a valid target definition before running the optimizer.',
  )
})

it('refuses to run with a percent that is none', () => {
  const signal1Allocations = [{ key: 0, ticker: 'SPY', allocation: '' }]
  expect(refusalOf({ ...ready, signal1Allocations })).toBe('Enter a percent for every Buy and Sell ticker.')
  expect(refusalOf({ ...ready, signal1Allocations: [{ key: 0, ticker: ' ', allocation: '' }] })).toBeNull()
})

it('refuses to run with a number that was cleared, instead of taking another silently', () => {
  expect(refusalOf({ ...ready, populationSize: '' })).toBe('Enter a number for the population size.')
  expect(refusalOf({ ...ready, seed: ' ' })).toBe('Enter a number for the seed.')
  expect(refusalOf({ ...ready, wfStepSizePct: '' })).toBeNull()
})
