import type { BacktestMetrics, CurveMetrics } from '@tradewright/contract/backtest-figures'
import { type Metric, type MetricEntry, type MetricKey, wireKeyOf } from '@tradewright/core/metric-catalogue'
import {
  formatCount,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRatio,
  formatSignedPercent,
} from '../../../../lib/format.ts'
import { formatDate, formatDateRange, formatMonth } from '../../../../lib/format-time.ts'
import type { StudioResult } from '../../answer/studio-result.ts'

/** `412 days` or, of more than two years, `3.4 years`. */
export function formatDays(days: number | null | undefined): string {
  if (typeof days === 'number' && days > 2 * 365.25) {
    return formatNumber(days / 365.25, { decimals: 1, suffix: ' years' })
  }
  return formatNumber(days, { decimals: 0, suffix: days === 1 ? ' day' : ' days' })
}

const FORMATS: Record<MetricEntry['unit'], (value: number | null | undefined) => string> = {
  percent: (value) => formatPercent(value),
  'signed percent': (value) => formatSignedPercent(value),
  ratio: formatRatio,
  times: (value) => formatNumber(value, { decimals: 2, suffix: '×' }),
  dollars: formatMoney,
  count: formatCount,
  days: formatDays,
}

/** The number of a metric as text, without its dates. */
export function metricText(metric: Metric, metrics: CurveMetrics | BacktestMetrics): string {
  return FORMATS[metric.unit](metricNumber(metric, metrics))
}

export const metricNumber = (metric: Metric, metrics: CurveMetrics | BacktestMetrics): number | null =>
  numberOf(metricValue(metric, metrics))

export const metricValue = (metric: Metric, metrics: CurveMetrics | BacktestMetrics): unknown =>
  Object.entries(metrics).find(([key]) => key === wireKeyOf(metric))?.[1]

/** A number by itself, the depth of a fall, or the return of a month or year. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return null
  if ('depth' in value && typeof value.depth === 'number') return value.depth
  return 'return' in value && typeof value.return === 'number' ? value.return : null
}

/** Notes that depend on the result; other metrics have the one of the catalogue. */
const NOTES: Partial<Record<MetricKey, (result: StudioResult) => string | null>> = {
  maxDrawdown: ({ metrics: { max_drawdown: fall } }) =>
    `${formatDateRange(fall.peak_date, fall.trough_date)}, ` +
    (fall.recovery_date ? `recovered ${formatDate(fall.recovery_date)}` : 'not recovered'),
  bestDay: ({ metrics }) => metrics.best_day && formatDate(metrics.best_day.date),
  worstDay: ({ metrics }) => metrics.worst_day && formatDate(metrics.worst_day.date),
  bestMonth: ({ metrics }) => monthOf(metrics.best_month),
  worstMonth: ({ metrics }) => monthOf(metrics.worst_month),
  bestYear: ({ metrics }) => metrics.best_year && String(metrics.best_year.year),
  worstYear: ({ metrics }) => metrics.worst_year && String(metrics.worst_year.year),
  tradeCount: ({ metrics }) => `${formatMoney(metrics.traded_value)} traded`,
  fees: ({ settings }) =>
    `${formatNumber(settings.trading_cost_bps, { decimals: 2, minDecimals: 0 })} bps and ${formatMoney(settings.commission)} a trade`,
}

export const metricNote = ({ key, note }: Metric, result: StudioResult): string | null =>
  NOTES[key]?.(result) ?? note ?? null

const monthOf = (month: StudioResult['metrics']['best_month']) =>
  month && formatMonth(`${month.year}-${String(month.month).padStart(2, '0')}-01`)
