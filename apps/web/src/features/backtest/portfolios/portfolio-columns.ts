import type { NumberText } from '../../../strategy-form/form-values.ts'

interface TableRow {
  key: number
  /** May have its leverage written into it, as `SPY?L=2`. */
  ticker: string
}

export interface PortfolioColumn {
  key: number
  name: string
  /** Percentages by the key of the row; none where the portfolio does not hold its ticker. */
  weights: Record<string, NumberText>
  rebalanceFrequency: string
  /** The leverage of every ticker that has none of its own. Empty: none. */
  leverage: NumberText
}

/** Several portfolios over the same tickers: each ticker a row, each portfolio a column. */
export interface PortfolioTable {
  rows: TableRow[]
  columns: PortfolioColumn[]
}
