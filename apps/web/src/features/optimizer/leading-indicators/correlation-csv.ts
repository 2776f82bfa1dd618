import type { CorrelationRow } from '@tradewright/contract/leading-indicators'
import { csvText } from '@tradewright/core/csv'

export const csvName = (ticker: string, today: string): string => `leading_indicators_${ticker}_${today}.csv`

const COLUMNS = [
  'cross_ticker',
  'cross_metric',
  'lag_days',
  'correlation_value',
  'directional_accuracy',
  'sharpe_ratio',
  'p_value',
  'adjusted_p_value',
  'observations',
] as const satisfies (keyof CorrelationRow)[]

/** Machine values, in the order of the table. Synthetic data says so in a column of its own. */
export function csvOf(rows: readonly CorrelationRow[]): string {
  const hasSynthetic = rows.some(({ synthetic }) => synthetic)
  const header = [...COLUMNS, ...(hasSynthetic ? ['source'] : [])]
  const lines = rows.map((row) => [
    ...COLUMNS.map((column) => row[column] ?? ''),
    ...(hasSynthetic ? [row.synthetic ? 'Synthetic sample data' : ''] : []),
  ])
  return csvText([header, ...lines])
}
