import type { NumberText } from './form-values.ts'
import { splitLeverage } from './leverage.ts'

export interface TickerRow {
  key: number
  /** May have its leverage written into it, as `SPY?L=2`. */
  ticker: string
  /** Empty or absent: none. Sent as part of the ticker. */
  leverage?: NumberText
  /** Percent of the account's value. */
  allocation: NumberText
}

/** A leverage in the ticker goes to its own field. */
export function toRows(rows: readonly Omit<TickerRow, 'key'>[]): TickerRow[] {
  return rows.map(({ ticker, allocation }, key) => ({ key, ...splitLeverage(ticker), allocation }))
}

export const nextKey = (items: readonly { key: number }[]): number => Math.max(-1, ...items.map(({ key }) => key)) + 1

/** The sum of the percents, of rows that will be sent; null while one of them is not a number. */
export function allocationTotal(rows: readonly TickerRow[]): number | null {
  const sent = rows.filter(({ ticker }) => ticker.trim() !== '')
  const total = sent.reduce((sum, { allocation }) => sum + (allocation === '' ? Number.NaN : Number(allocation)), 0)
  return Number.isFinite(total) ? Number(total.toFixed(6)) : null
}
