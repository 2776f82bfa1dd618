import type { BacktestResult } from '@tradewright/contract/backtest-result'
import type { BacktestAnswer, SavedBacktest } from '@tradewright/contract/backtests'

/** Repeats other columns of the same result, one object or one more date per bar. */
type Repeated = 'chart_data' | 'ticker_dates' | 'detailed_results'

/** A result as the page keeps it: a column per figure, and each column once. */
export type StudioResult = Omit<BacktestResult, Repeated>
export type StudioAnswer = Omit<BacktestAnswer, Repeated>
export type StudioBacktest = Omit<SavedBacktest, 'result_data'> & { result_data: StudioResult }

export function withoutRepeats<Result extends BacktestResult>(result: Result): Omit<Result, Repeated> {
  const { chart_data: _points, ticker_dates: _dates, detailed_results: _rows, ...rest } = result
  return rest
}
