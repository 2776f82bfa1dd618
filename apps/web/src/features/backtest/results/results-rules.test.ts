import { expect, it } from 'vitest'
import { barWidth } from './bar-width.ts'
import { csvName } from './csv.ts'
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
