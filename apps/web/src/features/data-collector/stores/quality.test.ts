import type { SeriesQuality } from '@tradewright/contract/data-stores'
import { expect, it } from 'vitest'
import { faultsOf, summaryOf, worstFirst } from './stores-tab.tsx'

const series = (ticker: string, more: Partial<SeriesQuality> = {}): SeriesQuality => ({
  ticker,
  data_granularity: '1d',
  providers: ['csv'],
  rows: 100,
  first: '2024-01-02T00:00:00.000Z',
  last: '2024-06-03T00:00:00.000Z',
  missing_rows: 0,
  gaps: [],
  unexpected_rows: 0,
  duplicates: 0,
  contradictions: 0,
  suspicious_jumps: [],
  sessions_behind: 0,
  is_stale: false,
  synthetic: false,
  ...more,
})

const gappy = series('B', { missing_rows: 12 })
const stale = series('C', { is_stale: true, sessions_behind: 9 })
const jumpy = series('D', {
  suspicious_jumps: [{ timestamp: '2024-02-01T00:00:00.000Z', change: -0.5 }],
  duplicates: 1,
})

it('shows the series with most to look at first', () => {
  expect(worstFirst([series('A'), stale, gappy, jumpy]).map(({ ticker }) => ticker)).toEqual(['B', 'D', 'C', 'A'])
  expect(faultsOf(series('A'))).toBe(0)
})

it('counts series, not faults', () => {
  expect(summaryOf([series('A'), gappy, stale, jumpy])).toEqual({
    series: 4,
    withGaps: 1,
    withJumps: 1,
    withDoubles: 1,
    stale: 1,
  })
})
