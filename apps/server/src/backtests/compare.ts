import type { BacktestReport, Comparison, RunOutcome } from './report.ts'
import type { SavedBacktest } from './saved-backtest.ts'

type Curve = Pick<BacktestReport['result']['curve'], 'timestamps' | 'values'>

/** Puts the curve of a saved backtest on the bars of this run. */
export function compareWith({ id, name, report }: SavedBacktest, { result }: RunOutcome): Comparison {
  const { curve, metrics } = report.result
  const { totalReturn, cagr, sharpe, sortino, volatility, calmar, maxDrawdown } = metrics
  const windows = result.ml?.walkForward?.windows ?? []
  return {
    backtestId: id,
    name,
    metrics: { totalReturn, cagr, sharpe, sortino, volatility, calmar, maxDrawdown },
    values: valuesAt(curve, result.curve.timestamps),
    windowValues: windows.map(({ timestamps }) => valuesAt(curve, timestamps)),
  }
}

/** The last value at or before each instant; none before the curve begins or after it ends. Both ascend. */
function valuesAt({ timestamps, values }: Curve, instants: Curve['timestamps']): (number | null)[] {
  const end = timestamps.at(-1) ?? -Infinity
  let row = -1
  return instants.map((instant) => {
    if (instant === null || instant > end) return null
    while (row + 1 < timestamps.length && timestamps[row + 1]! <= instant) row += 1
    return row < 0 ? null : values[row]!
  })
}
