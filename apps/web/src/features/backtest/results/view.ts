import type { StudioResult } from '../answer/studio-result.ts'
import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'

/** The whole run, or the number of one window. */
export type WindowChoice = 'overall' | number

/** The figures and curves that the metrics, the chart and its legend show for a choice. */
export interface CurveView {
  dates: readonly string[]
  values: readonly (number | null)[]
  reference: readonly (number | null)[] | null
  /** Null where none can be told: the account's own curve hides it behind cash flows. */
  drawdowns: readonly (number | null)[] | null
  startValue: number
  endValue: number | null
  cagr: number | null
  sharpe: number | null
  accuracy: number | null
  baseRate: number | null
  pValue: number | null
  maxDrawdown: number
  referenceCagr: number | null
  referenceSharpe: number | null
  referenceMaxDrawdown: number | null
  /** Where `figure_notes` keeps the reasons of this view's null figures. */
  notePath: string
}

export function viewOf(result: StudioResult, choice: WindowChoice): CurveView {
  const window = choice === 'overall' ? undefined : windowOf(result, choice)
  return window ? windowView(result, window) : overallView(result)
}

function windowOf(result: StudioResult, number: number): WalkForwardWindow | undefined {
  return result.walk_forward_windows?.find(({ window_num }) => window_num === number)
}

function overallView(result: StudioResult): CurveView {
  return {
    dates: result.test_dates,
    values: result.account_value_history,
    reference: result.reference_account_value_history,
    drawdowns: result.drawdown_history,
    startValue: result.settings.start_value,
    endValue: result.metrics.end_value,
    cagr: result.cagr,
    sharpe: result.sharpe,
    accuracy: result.target_accuracy,
    baseRate: result.accuracy_details?.base_rate ?? null,
    pValue: result.accuracy_details?.p_value ?? null,
    maxDrawdown: result.metrics.max_drawdown.depth,
    referenceCagr: result.reference_cagr,
    referenceSharpe: result.reference_sharpe,
    referenceMaxDrawdown: result.reference_metrics?.max_drawdown.depth ?? null,
    notePath: '',
  }
}

function windowView(result: StudioResult, window: WalkForwardWindow): CurveView {
  const position = result.walk_forward_windows?.indexOf(window) ?? 0
  return {
    dates: window.dates,
    values: window.account_history,
    reference: window.reference_account_history,
    drawdowns: result.settings.cashflow === 0 ? drawdownsOf(window.account_history) : null,
    startValue: result.settings.start_value,
    endValue: window.account_history.at(-1) ?? null,
    cagr: window.cagr,
    sharpe: window.sharpe,
    accuracy: window.accuracy,
    baseRate: window.base_rate,
    pValue: window.p_value,
    maxDrawdown: window.metrics.max_drawdown.depth,
    // A comparison backtest has no figures per window, and those of its whole run would mislead beside these.
    referenceCagr: window.reference_metrics?.cagr ?? null,
    referenceSharpe: window.reference_metrics?.sharpe ?? null,
    referenceMaxDrawdown: window.reference_metrics?.max_drawdown.depth ?? null,
    notePath: `walk_forward_windows.${position}.`,
  }
}

/** How far each value lies below the highest one up to it. */
export function drawdownsOf(values: readonly (number | null)[]): (number | null)[] {
  let peak = Number.NEGATIVE_INFINITY
  return values.map((value) => {
    if (value === null) return null
    peak = Math.max(peak, value)
    return peak > 0 ? value / peak - 1 : null
  })
}
