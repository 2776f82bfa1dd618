import type { CurveMetrics as WireMetrics } from '@tradewright/contract/backtest-figures'
import { formatDate } from '@tradewright/core/time'
import type { CurveMetrics, DrawdownDates } from '@tradewright/engine/backtest/metrics'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { pValueOf, type SavedAccuracy } from '../backtests/saved-accuracy.ts'

export const figureToWire = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)

/** The reasons of those figures that have none, by name. */
export const figureNotes = (figures: Record<string, Figure>, under = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, figure]) =>
      isAvailable(figure) ? [] : [[under + name, figure.notAvailable]],
    ),
  )

/** Why figures of a curve have no value, by name. */
export const curveNotes = ({ cagr, sharpe, sortino, volatility, calmar }: CurveMetrics, under = '') =>
  figureNotes({ cagr, sharpe, sortino, volatility, calmar }, under)

const drawdownToWire = ({ depth, peak, trough, recovery }: DrawdownDates) => ({
  depth,
  peak_date: formatDate(peak),
  trough_date: formatDate(trough),
  recovery_date: recovery === undefined ? null : formatDate(recovery),
})

export const curveMetricsToWire = (metrics: CurveMetrics): WireMetrics => ({
  total_return: metrics.totalReturn,
  cagr: figureToWire(metrics.cagr),
  sharpe: figureToWire(metrics.sharpe),
  sortino: figureToWire(metrics.sortino),
  volatility: figureToWire(metrics.volatility),
  calmar: figureToWire(metrics.calmar),
  max_drawdown: drawdownToWire(metrics.maxDrawdown),
})

export const accuracyToWire = ({ accuracy, baseRate, pValue, labelOverlap, naive }: SavedAccuracy) => ({
  accuracy: figureToWire(accuracy),
  base_rate: figureToWire(baseRate),
  p_value: figureToWire(pValueOf({ pValue, labelOverlap })),
  label_overlap: labelOverlap ?? null,
  naive: naive ?? null,
})
