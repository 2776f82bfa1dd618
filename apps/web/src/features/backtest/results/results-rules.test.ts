import { expect, it } from 'vitest'
import { barWidth } from './bar-width.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import { csvHeader, csvName, csvRows } from './csv.ts'
import { signalWord } from './signal.ts'

it('draws importances from 1 to 100 percent [BT-067]', () => {
  expect([0, 0.004, 0.25, 1, 1.7].map(barWidth)).toEqual([1, 1, 25, 100, 100])
})

it('reads 1 as Buy, any other value as Hold, none as N/A [BT-074, BT-105]', () => {
  expect([1, 0, -1, null].map(signalWord)).toEqual(['Buy', 'Hold', 'Hold', 'N/A'])
})

it('names the file after the day [BT-063]', () => {
  expect(csvName('2026-11-14')).toBe('backtest_results_2026-11-14.csv')
})

it('marks the days of the file on which prices of others stand in', () => {
  const result = {
    strategy_type: 'Asset Allocation',
    synthetic: false,
    test_dates: ['2003-09-26', '2004-11-17', '2004-11-18'],
    account_value_history: [1, 2, 3],
    test_predictions: null,
    spliced_tickers: [
      { ticker: 'AGG?FB=TLT', stand_ins: [{ ticker: 'TLT', start_date: '2003-01-02', end_date: '2003-09-26' }] },
      { ticker: 'GLD?FB=SPY', stand_ins: [{ ticker: 'SPY', start_date: '2003-01-02', end_date: '2004-11-17' }] },
    ],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the file is made of
  } as unknown as StudioResult
  expect(csvHeader(result)).toContain('Stand-in prices')
  const rows = csvRows(result, 0, 3).trim().split(/\r?\n/)
  expect(rows.map((row) => row.split('N/A,')[1])).toEqual(['"TLT for AGG, SPY for GLD"', 'SPY for GLD', ''])
  expect(csvHeader({ ...result, spliced_tickers: [] })).not.toContain('Stand-in')
})
