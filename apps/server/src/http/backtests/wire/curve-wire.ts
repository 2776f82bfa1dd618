import type { Trade } from '@tradewright/contract/backtest-figures'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import type { BacktestReport } from '../../../backtests/report.ts'
import { growthOf, livedBars } from '../../../backtests/measurable-curve.ts'
import { inTurns } from '../../../in-turns.ts'
import { barDate, type Bars } from '../../answer/bar-dates.ts'
import { columnToWire, fullColumnToWire, signalsToWire } from '../../answer/column-wire.ts'

type Result = BacktestReport['result']

type Curve = Pick<
  WireResult,
  | 'chart_data'
  | 'account_value_history'
  | 'test_dates'
  | 'ticker_dates'
  | 'detailed_results'
  | 'nominal_value_history'
  | 'cash_history'
  | 'exposure_history'
  | 'cashflow_history'
  | 'growth_history'
  | 'drawdown_history'
  | 'rolling_sharpe_history'
  | 'monthly_returns'
  | 'yearly_returns'
>

export function curveToWire(result: Result, dates: string[]): Curve {
  const { curve, metrics, ml } = result
  // An account always has a value.
  const values = fullColumnToWire(curve.values)
  const signals = ml ? signalsToWire(ml.signals) : undefined
  return {
    chart_data: dates.map((date, bar) => ({ date, value: values[bar]! })),
    account_value_history: values,
    test_dates: dates,
    ticker_dates: dates,
    detailed_results: dates.map((date, bar) => ({ date, value: values[bar]!, signal: signals?.[bar] ?? null })),
    nominal_value_history: columnToWire(curve.nominalValues),
    cash_history: columnToWire(curve.cash),
    exposure_history: columnToWire(curve.exposure),
    cashflow_history: columnToWire(curve.flows),
    growth_history: livedGrowth(result, dates.length),
    drawdown_history: columnToWire(metrics.drawdowns),
    rolling_sharpe_history: columnToWire(metrics.rollingSharpe),
    monthly_returns: metrics.monthlyReturns,
    yearly_returns: metrics.yearlyReturns,
  }
}

/** Null once everything was withdrawn: nothing grows or falls from there on. */
function livedGrowth(result: Result, length: number): (number | null)[] {
  const growth = columnToWire(growthOf(result, livedBars(result)))
  return Array.from({ length }, (_, bar) => growth[bar] ?? null)
}

/** A large account that is rebalanced daily has a hundred thousand trades. */
export const tradesToWire = (trades: Result['trades'], { granularity }: Bars): Promise<Trade[]> =>
  inTurns(trades.length, (at) => {
    const { timestamp, ticker, quantity, price, fee } = trades[at]!
    return {
      date: barDate(granularity, timestamp),
      ticker,
      side: quantity < 0 ? 'sell' : 'buy',
      quantity,
      price,
      value: Math.abs(quantity * price),
      fee,
    }
  })
