import { parseTicker } from '@tradewright/core/ticker'
import { expect, it } from 'vitest'
import { allocationTotal } from '../../../strategy-form/allocation-rows.ts'
import { toRequest } from '../form-request.ts'
import { gallery } from './gallery-catalogue.ts'
import { galleryForm } from './gallery-form.ts'

const param = (name: string, preset: string | number) => ({
  name,
  label: name,
  type: 'string' as const,
  default: preset,
  readonly: false,
  required: false,
  options: null,
  step: null,
  min: null,
  max: null,
  description: '',
})
const entry = (id: number, key: string) => ({
  id,
  key,
  name: key,
  description: '',
  source: '',
  config: { params_def: [param('ticker', 'QQQ'), param('period', 14)] },
})
const catalogues = {
  features: [entry(1, 'rsi'), entry(2, 'momentum'), entry(3, 'something_else')],
  targets: [entry(4, 'next_bar_direction')],
}

it.each(gallery)('$name has one name, a source, and a form that can be sent', (ready) => {
  expect(gallery.filter(({ id, name }) => id === ready.id || name === ready.name)).toHaveLength(1)
  expect(ready.source).not.toBe('')
  const form = galleryForm(ready, '2026-11-17', catalogues)
  expect(form.referenceTicker).toBe('SPY')
  const sent = toRequest(form, 'run')
  if (ready.type === 'ML') {
    expect(JSON.parse(String(sent.get('features')))).toHaveLength(2)
    expect(JSON.parse(String(sent.get('target')))).toMatchObject({ id: 4, params: { ticker: ready.buys } })
    return
  }
  expect(allocationTotal(form.allocations)).toBe(100)
  expect(sent.getAll('ticker[]')).toHaveLength(ready.allocations.length)
  for (const ticker of sent.getAll('ticker[]')) expect(() => parseTicker(String(ticker))).not.toThrow()
})
