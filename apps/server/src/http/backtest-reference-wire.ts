import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import type { BacktestReport } from '../backtests/report.ts'
import { columnToWire } from './column-wire.ts'
import { curveMetricsToWire, figureToWire } from './figure-wire.ts'

type Reference = Pick<
  WireResult,
  | 'reference_backtest_name'
  | 'reference_cagr'
  | 'reference_sharpe'
  | 'reference_metrics'
  | 'reference_account_value_history'
>

const NONE: Reference = {
  reference_backtest_name: null,
  reference_cagr: null,
  reference_sharpe: null,
  reference_metrics: null,
  reference_account_value_history: null,
}

/** The reference ticker goes before a comparison backtest; an order never has both. */
export function referenceToWire({ result, comparison }: BacktestReport): Reference {
  const named = result.reference ? { ...result.reference, name: result.reference.ticker } : comparison
  if (!named) return NONE
  return {
    reference_backtest_name: named.name,
    reference_cagr: figureToWire(named.metrics.cagr),
    reference_sharpe: figureToWire(named.metrics.sharpe),
    reference_metrics: curveMetricsToWire(named.metrics),
    reference_account_value_history: columnToWire(named.values),
  }
}
