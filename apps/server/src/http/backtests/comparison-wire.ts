import type { BacktestComparison as WireComparison } from '@tradewright/contract/backtests'
import { formatDate } from '@tradewright/core/time'
import type { BacktestComparison } from '../../backtests/common-period.ts'
import { barDates } from '../answer/bar-dates.ts'
import { fullColumnToWire } from '../answer/column-wire.ts'
import { curveMetricsToWire, metricNotes } from './metrics-wire.ts'

export const comparisonToWire = ({ period, compared }: BacktestComparison): WireComparison => ({
  start_date: formatDate(period.from),
  end_date: formatDate(period.to),
  compared: compared.map(({ name, result, ownPeriod, curve, metrics }) => ({
    name,
    own_start_date: formatDate(ownPeriod.from),
    own_end_date: formatDate(ownPeriod.to),
    metrics: curveMetricsToWire(metrics),
    figure_notes: metricNotes(metrics, ['curve']),
    risk_free: result.riskFree,
    dates: barDates({ granularity: result.settings.granularity, timestamps: curve.timestamps }),
    growth: fullColumnToWire(curve.growth),
    synthetic: result.synthetic,
  })),
})
