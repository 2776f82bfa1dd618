import type { SeriesSource } from '@tradewright/contract/backtest-figures'
import { expect, it } from 'vitest'
import { providerBadges } from './provider-badges.ts'

const series = (ticker: string, provider: string, more: Partial<SeriesSource> = {}): SeriesSource => ({
  ticker,
  used_for: 'traded',
  providers: [{ provider, start: '2020-01-02', end: '2024-12-31', rows: 1 }],
  synthetic: provider === 'sample',
  ...more,
})

it('names the tickers of each provider', () => {
  const badges = providerBadges([
    series('SPY', 'csv'),
    series('TLT', 'csv'),
    series('DTB3', 'sample', { used_for: 'rate' }),
    series('UNRATE', 'fred', { used_for: 'feature' }),
  ])
  expect(badges).toEqual(['SPY, TLT: your CSV', 'DTB3: sample market', 'UNRATE: FRED'])
})

it('leaves synthetic traded prices to the badge that marks them', () => {
  const rate = series('DTB3', 'sample', { used_for: 'rate' })
  expect(providerBadges([series('AGG', 'sample'), series('SPY', 'my-api'), rate])).toEqual(['SPY: my-api'])
})

it('counts where there are many', () => {
  const many = ['A', 'B', 'C', 'D', 'E', 'F'].map((ticker) => series(ticker, 'yahoo'))
  expect(providerBadges(many)).toEqual(['A, B, C, D and 2 more: Yahoo Finance'])
})
