import type { BacktestMetrics, CurveMetrics } from '@tradewright/contract/backtest-figures'
import {
  type Metric,
  type MetricEntry,
  type MetricsBy,
  metricsOf,
  type WireMetricsBy,
  wireKeyOf,
} from '@tradewright/core/metric-catalogue'
import { formatDate } from '@tradewright/core/time'
import type { DrawdownDates, MetricValues } from '@tradewright/engine/backtest/metrics'
import { type Figure, isAvailable, notAvailable } from '@tradewright/engine/performance/figure'
import type { MonthEndFigures } from '@tradewright/engine/performance/risk-adjusted-return'
import { figureToWire } from '../../answer/figure-wire.ts'

type Source = MetricEntry['of']

/** Metrics by their keys. Results of earlier versions lack those that were added later. */
type StoredMetrics<Of extends Source> = Partial<MetricsBy<Of, MetricValues>>

type WireValues = { [Value in keyof MetricValues]: ReturnType<(typeof VALUES_TO_WIRE)[Value]> }

const SAVED_BEFORE = notAvailable('the result was saved before this figure was added; run it again')

/** How each kind of value is written. Figures, days, years and month ends may be absent in results of earlier versions. */
const VALUES_TO_WIRE = {
  figure: (figure: Figure = SAVED_BEFORE) => figureToWire(figure),
  number: (value: number) => value,
  count: (value: number) => value,
  drawdown: drawdownToWire,
  day: (day: MetricValues['day']) => (day ? { date: formatDate(day.day), return: day.return } : null),
  month: (month: MetricValues['month']) => month ?? null,
  year: (year: MetricValues['year']) => year ?? null,
  'month ends': (figures: MonthEndFigures | undefined) => (figures ? monthEndToWire(figures) : null),
}

export const curveMetricsToWire = (metrics: StoredMetrics<'curve'>): CurveMetrics => metricsToWire(metrics, 'curve')

export const runMetricsToWire = (
  metrics: StoredMetrics<Source>,
): Omit<BacktestMetrics, 'traded_value' | 'nominal_end_value'> => metricsToWire(metrics, 'curve', 'account', 'run')

function metricsToWire<Of extends Source>(
  metrics: StoredMetrics<Source>,
  ...sources: Of[]
): WireMetricsBy<Of, WireValues> {
  const toWire = (metric: Metric) => VALUES_TO_WIRE[metric.value] as (value: unknown) => unknown
  const entries = metricsOf(...sources).map((metric) => [wireKeyOf(metric), toWire(metric)(metrics[metric.key])])
  return Object.fromEntries(entries) as WireMetricsBy<Of, WireValues>
}

/** Why figures have no value, by their names on the wire. */
export function metricNotes(metrics: StoredMetrics<Source>, sources: Source[], under = ''): Record<string, string> {
  return Object.fromEntries(
    metricsOf(...sources).flatMap((metric) => {
      const why = whyNone(metric, metrics[metric.key])
      return why === undefined ? [] : [[under + wireKeyOf(metric), why]]
    }),
  )
}

/** Undefined where there is a value. */
function whyNone({ value }: Metric, stored: unknown): string | undefined {
  if (value === 'figure') {
    const figure = (stored ?? SAVED_BEFORE) as Figure
    return isAvailable(figure) ? undefined : figure.notAvailable
  }
  const isPeriod = value === 'day' || value === 'month' || value === 'year'
  return isPeriod && !stored ? 'the run has no return to compare, or was saved before this figure was added' : undefined
}

export function drawdownToWire({ depth, peak, trough, recovery }: DrawdownDates) {
  return {
    depth,
    peak_date: formatDate(peak),
    trough_date: formatDate(trough),
    recovery_date: recovery === undefined ? null : formatDate(recovery),
  }
}

const monthEndToWire = ({ volatility, sharpe, sortino, maxDrawdown }: MonthEndFigures) => ({
  volatility: figureToWire(volatility),
  sharpe: figureToWire(sharpe),
  sortino: figureToWire(sortino),
  max_drawdown: maxDrawdown,
})
