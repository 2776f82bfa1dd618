import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { formatDate } from '@tradewright/core/time'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BacktestReport } from '../../../backtests/report.ts'
import { barDates } from '../../answer/bar-dates.ts'
import { columnToWire, signalsToWire } from '../../answer/column-wire.ts'
import { SLICE } from '../../answer/json-slices.ts'
import { accuracyToWire, figureToWire } from '../../answer/figure-wire.ts'
import { curveMetricsToWire } from './metrics-wire.ts'

type WalkForward = Pick<WireResult, 'walk_forward_enabled' | 'walk_forward_windows' | 'walk_forward_summary'>

export async function walkForwardToWire(report: BacktestReport): Promise<WalkForward> {
  const summary = report.result.ml?.walkForward
  if (!summary) return { walk_forward_enabled: false, walk_forward_windows: null, walk_forward_summary: null }
  const windows: WalkForwardWindow[] = []
  for (const [i, window] of summary.windows.entries()) {
    windows.push(windowToWire(report, window, i))
    // Hundreds of windows of a long run are many values.
    if (window.timestamps.length > SLICE) await nextTurn()
  }
  return {
    walk_forward_enabled: true,
    walk_forward_windows: windows,
    walk_forward_summary: {
      total_windows: summary.windows.length,
      avg_window_accuracy: figureToWire(summary.averageAccuracy),
      avg_base_rate: figureToWire(summary.averageBaseRate),
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
    account_history: columnToWire(window.values),
    dates: barDates({ granularity, timestamps }),
    predictions: signalsToWire(window.signals),
    reference_account_history: optional(window.referenceValues ?? comparison?.windowValues[i]),
    reference_metrics: window.referenceMetrics ? curveMetricsToWire(window.referenceMetrics) : null,
  }
}

const optional = (values: ArrayLike<number | null> | undefined) => (values ? columnToWire(values) : null)
