import { expect, it } from 'vitest'
import { fromQuery, toQuery } from './use-shown-portfolios.ts'

it('keeps portfolios with a result in the address, beside the tab', () => {
  const shown = [
    { id: 12, isBenchmark: false },
    { title: 'Portfolio 2', failure: 'There is no data for ZZZZQ.', isBenchmark: false },
    { id: 14, isBenchmark: true },
  ]
  const query = toQuery('?tab=config&backtest_id=5', shown)
  expect(query).toBe('tab=config&portfolios=12&benchmark=14')
  expect(fromQuery(new URLSearchParams(query))).toEqual([shown[0], shown[2]])
  expect(toQuery(query, [])).toBe('tab=config')
})

it('leaves out of an address what is no number', () => {
  expect(fromQuery(new URLSearchParams('portfolios=1,x,-2,0,9999999999,3'))).toEqual([
    { id: 1, isBenchmark: false },
    { id: 3, isBenchmark: false },
  ])
})
