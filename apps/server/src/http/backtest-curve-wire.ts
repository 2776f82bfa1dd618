import type { Trade } from '@tradewright/contract/backtest-figures'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import { type Granularity, isIntraday } from '@tradewright/core/granularity'
import { epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'
import type { BacktestReport } from '../backtests/report.ts'

type Result = BacktestReport['result']

export interface Bars {
  readonly granularity: Granularity
  readonly timestamps: readonly (number | null)[]
}

/** A day for daily bars, an instant for bars within the day. */
const barDate = (granularity: Granularity, stamp: UtcMillis): string =>
  isIntraday(granularity) ? new Date(stamp).toISOString().replace('.000Z', 'Z') : formatDate(epochDayOf(stamp))

export const barDates = ({ granularity, timestamps }: Bars): string[] =>
  timestamps.map((stamp) => barDate(granularity, stamp!))

/** Signals inside are -1 where nothing was predicted. */
export const signalsToWire = (signals: readonly (number | null)[]): (0 | 1 | null)[] =>
  signals.map((signal) => (signal === 1 || signal === 0 ? signal : null))

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
  | 'drawdown_history'
  | 'rolling_sharpe_history'
  | 'monthly_returns'
  | 'yearly_returns'
>

export function curveToWire({ curve, metrics, ml }: Result, dates: string[]): Curve {
  // An account always has a value.
  const values = curve.values as number[]
  const signals = ml ? signalsToWire(ml.signals) : undefined
  return {
    chart_data: dates.map((date, bar) => ({ date, value: values[bar]! })),
    account_value_history: values,
    test_dates: dates,
    ticker_dates: dates,
    detailed_results: dates.map((date, bar) => ({ date, value: values[bar]!, signal: signals?.[bar] ?? null })),
    nominal_value_history: curve.nominalValues,
    cash_history: curve.cash,
    exposure_history: curve.exposure,
    cashflow_history: curve.flows,
    drawdown_history: metrics.drawdowns,
    rolling_sharpe_history: metrics.rollingSharpe,
    monthly_returns: metrics.monthlyReturns,
    yearly_returns: metrics.yearlyReturns,
  }
}

export const tradesToWire = (trades: Result['trades'], { granularity }: Bars): Trade[] =>
  trades.map(({ timestamp, ticker, quantity, price, fee }) => ({
    date: barDate(granularity, timestamp),
    ticker,
    side: quantity < 0 ? 'sell' : 'buy',
    quantity,
    price,
    value: Math.abs(quantity * price),
    fee,
  }))
