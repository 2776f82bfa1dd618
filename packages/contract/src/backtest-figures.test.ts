import { allMetrics, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { expect, it } from 'vitest'
import { BacktestMetrics, CurveMetrics } from './backtest-figures.ts'

it('names the metrics of a curve as clients know them', () => {
  const known = ['total_return', 'cagr', 'sharpe', 'sortino', 'volatility', 'calmar', 'max_drawdown']
  expect(Object.keys(CurveMetrics.shape)).toEqual(expect.arrayContaining(known))
})

it('names the metrics of a run as clients know them', () => {
  const known = [
    'money_weighted_return',
    'best_month',
    'worst_month',
    'best_year',
    'worst_year',
    'month_end',
    'turnover',
    'exposure',
    'number_of_trades',
    'win_rate',
    'fees',
    'traded_value',
    'dividends',
    'interest',
    'end_value',
    'nominal_end_value',
  ]
  expect(Object.keys(BacktestMetrics.shape)).toEqual(expect.arrayContaining(known))
})

it('has every metric of the catalogue once', () => {
  const names = allMetrics.map(wireKeyOf)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(BacktestMetrics.shape)).toEqual(expect.arrayContaining(names))
})
