import type { Column } from '@tradewright/core/column'

/** Prices of everything an account may hold, on one calendar: row t of every column is the same bar. Not changed once made. */
export interface PriceTable {
  readonly tickers: readonly string[]
  readonly timestamps: Float64Array
  /** The session date of each bar. */
  readonly days: Int32Array
  /** By ticker. NaN where there is no open; every bar has a close. */
  readonly open: readonly Column[]
  readonly close: readonly Column[]
  /** By ticker, NaN where they are not known; absent where no stop looks at them. */
  readonly low?: readonly Column[]
  readonly high?: readonly Column[]
  /** Cash per share of what goes ex with each bar. Undefined where the prices are total returns. */
  readonly dividends: readonly (Column | undefined)[]
  /** By ticker: what moving the price costs, see `impactCost`. NaN where it is not known; absent where it is not charged. */
  readonly impact?: readonly Column[]
}

export const barCount = ({ timestamps }: PriceTable): number => timestamps.length

/** The same table with every column of figures changed alike: cut, or copied to another place. */
export const withColumns = (table: PriceTable, change: (column: Column) => Column): PriceTable => ({
  ...table,
  timestamps: change(table.timestamps),
  open: table.open.map(change),
  close: table.close.map(change),
  dividends: table.dividends.map((column) => column && change(column)),
  ...(table.low && { low: table.low.map(change) }),
  ...(table.high && { high: table.high.map(change) }),
  ...(table.impact && { impact: table.impact.map(change) }),
})

/** The rows `from` to `to`, half-open, sharing memory with the whole. */
export function sliceTable(table: PriceTable, from: number, to: number): PriceTable {
  if (from === 0 && to === barCount(table)) return table
  return { ...withColumns(table, (column) => column.subarray(from, to)), days: table.days.subarray(from, to) }
}
