import type { CorrelationRow } from '@tradewright/contract/leading-indicators'
import type { Sorting } from '../../../ui/table/sort-header.tsx'

export type Column = Exclude<keyof CorrelationRow, 'cross_name' | 'synthetic' | 'feature' | 'uses_revised_values'>

export const STRONGEST_FIRST: Sorting<Column> = { column: 'correlation_value', isDescending: true }

/** How strong a correlation is, whatever its sign; null below the weakest band. */
type Band = 'strong' | 'medium' | 'weak'

export function bandOf(correlation: number): Band | null {
  const size = Math.abs(correlation)
  if (size >= 0.7) return 'strong'
  if (size >= 0.5) return 'medium'
  return size >= 0.3 ? 'weak' : null
}

/** Correlations by their size; a row without a value is last either way. */
export function sortedRows(
  rows: readonly CorrelationRow[],
  { column, isDescending }: Sorting<Column>,
): CorrelationRow[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a, column), keyOf(b, column)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' || typeof right === 'string') return sign * String(left).localeCompare(String(right))
    return sign * (left - right)
  })
}

function keyOf(row: CorrelationRow, column: Column): number | string | null {
  return column === 'correlation_value' ? Math.abs(row.correlation_value) : row[column]
}

const METRIC_WORDS: Record<CorrelationRow['cross_metric'], string> = {
  pct_change: 'Percent change',
  rsi_14: 'RSI 14',
  sma_5: 'SMA 5',
  sma_10: 'SMA 10',
  sma_20: 'SMA 20',
  volume_ratio: 'Volume ratio',
  volatility_20d: 'Volatility 20d',
}
export const metricWord = (metric: CorrelationRow['cross_metric']): string => METRIC_WORDS[metric]
