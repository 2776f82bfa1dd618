import { CORRELATION_LIMIT, type CorrelationRow, LAGS } from '@tradewright/contract/leading-indicators'
import { describe, expect, it } from 'vitest'
import { CallError } from '../../../lib/call-error.ts'
import { formatPValue } from '../../../lib/format.ts'
import { correlationsFailed, csvName, csvOf, NO_FILTERS, queryOf } from './leading-indicators.tsx'
import { bandOf, sortedRows, heatMapOf } from './correlations.tsx'

const row = (changes: Partial<CorrelationRow>): CorrelationRow => ({
  cross_ticker: 'SPY',
  cross_name: 'S&P 500',
  cross_metric: 'pct_change',
  lag_days: 1,
  correlation_value: 0.4,
  directional_accuracy: 0.55,
  sharpe_ratio: 0.8,
  p_value: 0.01,
  adjusted_p_value: 0.2,
  observations: 60,
  synthetic: false,
  uses_revised_values: false,
  feature: null,
  ...changes,
})

describe('the filters', () => {
  it('start at 90 days, every lag and 0.3 [LEAD-022..024]', () => {
    expect(NO_FILTERS).toMatchObject({ periodDays: '90', lagDays: 'all', minCorrelation: 0.3 })
    expect(LAGS).toEqual([1, 2, 3, 5, 10])
  })

  it('leave the lag out for all of them [LEAD-012]', () => {
    expect(queryOf(NO_FILTERS)).toEqual({ min_correlation: '0.3', period_days: '90', limit: String(CORRELATION_LIMIT) })
    expect(queryOf({ ...NO_FILTERS, lagDays: '5' })).toMatchObject({ lag_days: '5', limit: '100' })
  })
})

it.each([
  [-0.7, 'strong'],
  [0.699, 'medium'],
  [0.5, 'medium'],
  [-0.3, 'weak'],
  [0.299, null],
])('puts %d into its band [LEAD-003]', (correlation, band) => {
  expect(bandOf(correlation)).toBe(band)
})

describe('sorting', () => {
  const rows = [
    row({ cross_ticker: 'B', correlation_value: 0.4, sharpe_ratio: null }),
    row({ cross_ticker: 'A', correlation_value: -0.6, sharpe_ratio: 1 }),
    row({ cross_ticker: 'C', correlation_value: 0.5, sharpe_ratio: -1 }),
  ]
  const order = (column: Parameters<typeof sortedRows>[1]['column'], isDescending: boolean) =>
    sortedRows(rows, { column, isDescending }).map(({ cross_ticker }) => cross_ticker)

  it('takes correlations by their size', () => {
    expect(order('correlation_value', true)).toEqual(['A', 'C', 'B'])
    expect(order('correlation_value', false)).toEqual(['B', 'C', 'A'])
  })

  it('puts rows without a value last either way', () => {
    expect(order('sharpe_ratio', true)).toEqual(['A', 'C', 'B'])
    expect(order('sharpe_ratio', false)).toEqual(['C', 'A', 'B'])
  })

  it('takes texts by the alphabet', () => {
    expect(order('cross_ticker', false)).toEqual(['A', 'B', 'C'])
  })
})

it('shows the strongest lag of each pair of ticker and metric, the strongest ticker first', () => {
  const map = heatMapOf([
    row({ cross_ticker: 'SPY', lag_days: 1, correlation_value: 0.4 }),
    row({ cross_ticker: 'SPY', lag_days: 3, correlation_value: -0.5 }),
    row({ cross_ticker: 'TLT', cross_metric: 'rsi_14', correlation_value: 0.7 }),
  ])
  expect(map.metrics).toEqual(['pct_change', 'rsi_14'])
  expect(
    map.rows.map(({ ticker, cells }) => [ticker, ...cells.map((cell) => cell?.correlation_value ?? null)]),
  ).toEqual([
    ['TLT', null, 0.7],
    ['SPY', -0.5, null],
  ])
  expect(map.leftOut).toBe(0)
})

it('says how many tickers have no room on the heat map', () => {
  const many = Array.from({ length: 17 }, (_, i) => row({ cross_ticker: `T${i}`, correlation_value: 0.9 - i / 100 }))
  const map = heatMapOf(many)
  expect(map.rows.map(({ ticker }) => ticker)).not.toContain('T16')
  expect([map.rows.length, map.leftOut]).toEqual([15, 2])
})

it('shows a p-value below 0.001 as such [LEAD-025]', () => {
  expect([0.0009, 0.001, 0.21].map(formatPValue)).toEqual(['< 0.001', '0.001', '0.210'])
})

it('writes machine values to the file, and says which are made up', () => {
  expect(csvName('BTC-USD', '2026-11-14')).toBe('leading_indicators_BTC-USD_2026-11-14.csv')
  const [header, first] = csvOf([row({ sharpe_ratio: null, synthetic: true })]).split('\r\n')
  expect(header).toContain('adjusted_p_value,observations,source')
  expect(first).toBe('SPY,pct_change,1,0.4,0.55,,0.01,0.2,60,Synthetic sample data')
})

it("shows the server's error, else that nothing could be fetched [LEAD-016..018]", () => {
  const answered = (status: number, serverMessage: string | null) => new CallError({ status, code: 'x', serverMessage })
  expect(correlationsFailed(answered(404, 'There is no data for FOO.'))).toBe('There is no data for FOO.')
  expect(correlationsFailed(answered(500, null))).toBe('Failed to fetch correlations')
  expect(correlationsFailed(answered(0, null))).toBe('Error fetching correlations')
})
