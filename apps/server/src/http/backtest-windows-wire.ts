import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { formatDate } from '@tradewright/core/time'
import type { BacktestReport } from '../backtests/report.ts'
import { barDates, signalsToWire } from './backtest-curve-wire.ts'
import { accuracyToWire, curveMetricsToWire, figureToWire } from './figure-wire.ts'

type WalkForward = Pick<WireResult, 'walk_forward_enabled' | 'walk_forward_windows' | 'walk_forward_summary'>

export function walkForwardToWire(report: BacktestReport): WalkForward {
  const summary = report.result.ml?.walkForward
  if (!summary) return { walk_forward_enabled: false, walk_forward_windows: null, walk_forward_summary: null }
  return {
    walk_forward_enabled: true,
    walk_forward_windows: summary.windows.map((window, i) => windowToWire(report, window, i)),
    walk_forward_summary: {
      total_windows: summary.windows.length,
      avg_window_accuracy: figureToWire(summary.averageAccuracy),
      min_window_accuracy: figureToWire(summary.lowestAccuracy),
      max_window_accuracy: figureToWire(summary.highestAccuracy),
      step_size: summary.stepRows,
    },
  }
}

type Window = NonNullable<NonNullable<BacktestReport['result']['ml']>['walkForward']>['windows'][number]

function windowToWire({ result, comparison }: BacktestReport, window: Window, i: number): WalkForwardWindow {
  const { granularity } = result.settings
  const { timestamps, metrics } = window
  return {
    window_num: window.number,
    train_start: formatDate(window.train.from),
    train_end: formatDate(window.train.to),
    test_start: formatDate(window.test.from),
    test_end: formatDate(window.test.to),
    test_rows: window.testRows,
    ...accuracyToWire(window.accuracy),
    cagr: figureToWire(metrics.cagr),
    sharpe: figureToWire(metrics.sharpe),
    metrics: curveMetricsToWire(metrics),
    predictions_buy: window.buys,
    predictions_sell: window.sells,
    account_history: window.values,
    dates: barDates({ granularity, timestamps }),
    predictions: signalsToWire(window.signals),
    reference_account_history: window.referenceValues ?? copied(comparison?.windowValues[i]),
    reference_metrics: window.referenceMetrics ? curveMetricsToWire(window.referenceMetrics) : null,
  }
}

const copied = (values: readonly (number | null)[] | undefined) => (values ? [...values] : null)
