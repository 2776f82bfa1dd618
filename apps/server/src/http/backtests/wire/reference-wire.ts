import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { formatDate } from '@tradewright/core/time'
import { figuresWithin } from '../../../backtests/common-period.ts'
import { livedBars } from '../../../backtests/measurable-curve.ts'
import type { BacktestReport } from '../../../backtests/report.ts'
import { columnToWire } from '../../answer/column-wire.ts'
import { figureToWire } from '../../answer/figure-wire.ts'
import { curveMetricsToWire } from './metrics-wire.ts'

type Reference = Pick<
  WireResult,
  | 'reference_backtest_name'
  | 'reference_cagr'
  | 'reference_sharpe'
  | 'reference_metrics'
  | 'reference_account_value_history'
  | 'reference_growth_history'
  | 'reference_period'
>

const NONE: Reference = {
  reference_backtest_name: null,
  reference_cagr: null,
  reference_sharpe: null,
  reference_metrics: null,
  reference_account_value_history: null,
  reference_growth_history: null,
  reference_period: null,
}

/** The reference ticker goes before a comparison backtest; a run never has both. */
export function referenceToWire({ result, comparison }: BacktestReport): Reference {
  const named = result.reference ? { ...result.reference, name: result.reference.ticker } : comparison
  if (!named) return NONE
  return {
    reference_backtest_name: named.name,
    reference_cagr: figureToWire(named.metrics.cagr),
    reference_sharpe: figureToWire(named.metrics.sharpe),
    reference_metrics: curveMetricsToWire(named.metrics),
    reference_account_value_history: columnToWire(named.values),
    reference_growth_history: named.growth ? columnToWire(named.growth) : null,
    reference_period: periodToWire(result.reference ? tickerPeriod(result) : comparison?.common),
  }
}

type Common = NonNullable<NonNullable<BacktestReport['comparison']>['common']>

/** The reference ticker is held from its first price in the run on; the run's own figures there stand beside it. */
function tickerPeriod(result: BacktestReport['result']): Common | undefined {
  const { days } = result.curve
  const first = Array.from(result.reference?.values ?? []).findIndex((value) => Number.isFinite(value ?? Number.NaN))
  const last = livedBars(result) - 1
  if (first < 0 || first >= last) return undefined
  const period = { from: days[first]!, to: days[last]! }
  return { period, ownMetrics: figuresWithin(result, period) }
}

const periodToWire = (common: Common | undefined): WireResult['reference_period'] =>
  common
    ? {
        start_date: formatDate(common.period.from),
        end_date: formatDate(common.period.to),
        own_metrics: curveMetricsToWire(common.ownMetrics),
      }
    : null
