import { expect, it } from 'vitest'
import type { BacktestFacts } from '../tools/backtest-tools.ts'
import { backtestWords } from './backtest-topics.ts'

const ml: NonNullable<BacktestFacts['ml']> = {
  target: 'Up tomorrow',
  feature_count: 1,
  features: [{ feature: 'RSI (SPY, window 14)', importance: 1 }],
  accuracy: 0.56,
  base_rate: 0.53,
  p_value: null,
  label_overlap_bars: 0,
  naive_accuracy: null,
  walk_forward_windows: 3,
  honesty: { no_feature_sees_the_future: true, shuffled_labels_lose_their_accuracy: true, rows_purged: 0 },
}

const facts = {
  strategy_type: 'ML',
  start_date: '2020-01-02',
  end_date: '2024-12-31',
  actual_start_date: '2020-01-02',
  limiting_ticker: null,
  tested_from: '2021-01-04',
  tested_to: '2024-12-31',
  start_value: 10_000,
  end_value: 15_000,
  cashflow: 0,
  total_return: 0.5,
  cagr: 0.1,
  sharpe: 0.8,
  volatility: 0.12,
  max_drawdown: { depth: -0.2, from: '2022-01-03', lowest: '2022-10-12', recovered: null },
  number_of_trades: 7,
  fees: 0,
  reference: null,
  rules: null,
  curve: [],
  synthetic: false,
  notes: [],
} as unknown as BacktestFacts

const told = (change: Partial<typeof ml>) => backtestWords('Model', { ...facts, ml: { ...ml, ...change } })

it.each([
  [0.0004, String.raw`Uninformed forecasts rarely do as well (p \< 0.001).`],
  [0.04, 'Uninformed forecasts rarely do as well (p = 0.04'],
  [0.05, 'Uninformed forecasts often do as well (p = 0.05'],
  [0.6, 'Uninformed forecasts often do as well (p = 0.6'],
])('says how often forecasts that know nothing reach a p-value of %d', (p_value, sentence) => {
  expect(told({ p_value })).toContain(sentence)
})

it('says nothing about luck where no p-value could be calculated', () => {
  expect(told({ p_value: null })).not.toContain('Uninformed')
})

it('says aloud what points to a leak', () => {
  expect(told({})).toContain('features do not see the future; with shuffled labels no edge remains, as expected')
  const leaks = { ...ml.honesty, no_feature_sees_the_future: false, shuffled_labels_lose_their_accuracy: false }
  expect(told({ honesty: leaks })).toContain(
    'features **see** the future; with shuffled labels **an edge remains, which points to a leak**',
  )
})
