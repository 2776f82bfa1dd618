import { treeProblems } from '@tradewright/core/rules/problems'
import { parseTicker } from '@tradewright/core/ticker'
import { expect, it } from 'vitest'
import { allocationTotal } from '../../../strategy-form/tickers/allocation-rows.ts'
import { leveragedTicker } from '../../../strategy-form/tickers/leverage.ts'
import { gallery } from './gallery-catalogue.ts'
import { galleryForm } from './gallery-form.ts'
import { foundIn } from './gallery-list.tsx'

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

it.each(gallery)('$name has one name, a source, and a whole form', (ready) => {
  expect(
    gallery.filter(({ id, name }) => id === ready.id || name.toLowerCase() === ready.name.toLowerCase()),
  ).toHaveLength(1)
  expect(ready.source).not.toBe('')
  const form = galleryForm(ready, '2026-11-17', catalogues)
  expect(form.referenceTicker).toBe('SPY')
  if (ready.type === 'ML') {
    expect(form.features.map(({ id }) => id)).toEqual([1, 2])
    expect(form.target).toMatchObject({ id: 4, params: { ticker: ready.buys } })
    return
  }
  if (ready.type === 'Rules') {
    expect(form).toMatchObject({ strategyType: 'Rules', rules: ready.rules })
    expect(treeProblems(form.rules)).toEqual([])
    return
  }
  if (ready.type === 'External signal') {
    const [head, ...lines] = form.external.csv.trim().split('\n')
    expect([head, lines[0], lines.at(-1)]).toEqual([
      'time,signal',
      '1993-04-30T15:00:00Z,bills',
      '2026-10-31T15:00:00Z,stocks',
    ])
    expect(form.external.allocations.map(({ name }) => name)).toEqual(Object.keys(ready.targets))
    return
  }
  expect(allocationTotal(form.allocations)).toBe(100)
  for (const { ticker, leverage } of form.allocations) {
    expect(() => parseTicker(leveragedTicker(ticker, leverage))).not.toThrow()
  }
})

it('is found by name, ticker and author', () => {
  const names = (search: string) => foundIn(gallery, search).map(({ name }) => name)
  expect(names('hedgefundie')).toEqual(['HFEA'])
  expect(names('tlt levered')).toContain('HFEA')
  expect(names('  ')).toHaveLength(gallery.length)
  expect(names('no such strategy')).toEqual([])
})
