import type { Feature } from '@tradewright/contract/features'
import { expect, it } from 'vitest'
import { newForm } from '../form/form.ts'
import { withPair } from './leading-indicators.tsx'

const rsi: Feature = { id: 5, key: 'rsi', name: 'RSI', description: '', source: '', config: { params_def: [] } }

it('adds the kind of feature, its values and a ticker that the form does not have yet', () => {
  const form = { ...newForm('2026-11-14'), relatedTickers: 'tlt' }
  const params = { ticker: 'SPY', window: 14, lag: 3 }
  const changed = withPair(form, rsi, params)
  expect(changed).toEqual({
    featureTypes: [{ id: 5, name: 'RSI', ranges: { window: '14', lag: '3' } }],
    relatedTickers: 'TLT, SPY',
  })
  expect(withPair({ ...form, ...changed }, rsi, params)).toEqual(changed)
})
