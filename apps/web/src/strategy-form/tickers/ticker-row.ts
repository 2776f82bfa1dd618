import type { NumberText } from '../form-values.ts'

export interface TickerRow {
  key: number
  /** May have its leverage written into it, as `SPY?L=2`. */
  ticker: string
  /** Empty or absent: none. Sent as part of the ticker. */
  leverage?: NumberText
  /** Percent of the account's value. */
  allocation: NumberText
}
