import type { BacktestResult } from '@tradewright/contract/backtest-result'
import { csvText } from '../../../lib/csv.ts'
import { signalWord } from './signal.ts'

export const csvName = (today: string): string => `backtest_results_${today}.csv`
export const jsonName = (today: string): string => `backtest_results_${today}.json`

/** All rows of Full Results, oldest first, with machine values. Synthetic data says so in a column of its own. */
export function csvOf(result: BacktestResult): string {
  const features = Object.entries(result.test_feature_values ?? {})
  const isMl = result.strategy_type === 'ML'
  const header = ['Date', 'Value', 'Signal', ...(isMl ? features.map(([name]) => name) : [])]
  const source = result.synthetic ? ['Synthetic sample data'] : []
  const rows = result.detailed_results.map(({ date, value, signal }, row) => [
    date,
    value,
    signalWord(signal),
    ...(isMl ? features.map(([, values]) => values[row] ?? '') : []),
    ...source,
  ])
  const lines = [[...header, ...(result.synthetic ? ['Source'] : [])], ...rows]
  return csvText(lines)
}
