import { expect, it } from 'vitest'
import { editForm, newForm } from '../form/form.ts'
import { toRequest } from '../form/form-request.ts'
import { addColumn, plannedRuns, portfolioForms, removeColumn, withTable } from './portfolio-table.ts'

const TODAY = '2026-11-17'
const one = {
  ...newForm(TODAY),
  strategyName: '60/40',
  allocations: [
    { key: 0, ticker: 'SPY', allocation: 60 },
    { key: 1, ticker: 'AGG', allocation: 40 },
  ],
}
const two = { ...one, ...withTable(one) }

it('adds a second portfolio with the weights of the first, beside SPY, over the longest period', () => {
  expect(two.portfolios?.columns).toMatchObject([
    { name: '60/40', weights: { 0: 60, 1: 40 }, rebalanceFrequency: 'yearly', leverage: '' },
    { name: '', weights: { 0: 60, 1: 40 }, rebalanceFrequency: 'yearly', leverage: '' },
  ])
  expect([two.referenceTicker, two.startDate]).toEqual(['SPY', '1993-01-01'])
})

it('keeps a benchmark and a start date that were chosen', () => {
  for (const startDate of ['2010-01-04', one.startDate]) {
    const chosen = editForm(one, { referenceTicker: 'QQQ', startDate })
    expect(withTable(chosen)).toMatchObject({ referenceTicker: 'QQQ', startDate })
  }
})

it('sends each portfolio as the form of one portfolio would, without tickers it does not hold', () => {
  const table = addColumn(two.portfolios!)
  const [first, second, third] = table.columns
  const columns = [
    first!,
    { ...second!, name: 'Levered', leverage: 2, weights: { 0: 100, 1: 0 }, rebalanceFrequency: 'none' },
    { ...third!, weights: { 0: '', 1: 100 } },
  ]
  const forms = portfolioForms({ ...two, portfolios: { ...table, columns }, saveStrategy: true })
  const sent = forms.map((form) => toRequest(form, 'run'))
  expect(sent.map((fields) => fields.getAll('ticker[]'))).toEqual([['SPY', 'AGG'], ['SPY?L=2'], ['AGG']])
  expect(sent.map((fields) => fields.getAll('allocation[]'))).toEqual([['60', '40'], ['100'], ['100']])
  expect(sent.map((fields) => fields.get('rebalanceFrequency'))).toEqual(['yearly', 'none', 'yearly'])
  expect(sent.map((fields) => fields.get('strategyName'))).toEqual(['60/40', 'Levered', ''])
  expect(sent.map((fields) => fields.get('saveStrategy'))).toEqual(['false', 'false', 'false'])
})

it('runs the benchmark like the portfolios, bought once and held', () => {
  const runs = plannedRuns({ ...two, referenceLeverage: 2 })
  expect(runs.map(({ title, isBenchmark }) => [title, isBenchmark])).toEqual([
    ['60/40', false],
    ['Portfolio 2', false],
    ['SPY?L=2', true],
  ])
  expect(runs[2]?.form).toMatchObject({
    allocations: [{ ticker: 'SPY?L=2', allocation: 100 }],
    rebalanceFrequency: 'none',
  })
  expect(plannedRuns({ ...two, referenceTicker: '' })).toHaveLength(2)
  expect(plannedRuns(one)).toEqual([])
  expect(plannedRuns({ ...two, strategyType: 'ML' })).toEqual([])
})

it('writes leverage that differs between rows into the tickers, and that of all rows into the column', () => {
  const levered = (leverages: number[]) => one.allocations.map((row, i) => ({ ...row, leverage: leverages[i]! }))
  const mixed = withTable({ ...one, allocations: levered([3, 1]) }).portfolios
  expect([mixed?.rows.map(({ ticker }) => ticker), mixed?.columns[0]?.leverage]).toEqual([['SPY?L=3', 'AGG'], ''])
  const same = withTable({ ...one, allocations: levered([2, 2]) }).portfolios
  expect([same?.rows.map(({ ticker }) => ticker), same?.columns[0]?.leverage]).toEqual([['SPY', 'AGG'], 2])
})

it('is the form of one portfolio again when one is left', () => {
  expect(removeColumn(two, 1)).toMatchObject({
    portfolios: null,
    strategyName: '60/40',
    rebalanceFrequency: 'yearly',
    allocations: one.allocations,
  })
})
