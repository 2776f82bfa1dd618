import { splitLeverage } from './leverage.ts'
import type { TickerRow } from './ticker-row.ts'

/** A leverage in the ticker goes to its own field. */
export function toRows(rows: readonly Omit<TickerRow, 'key'>[]): TickerRow[] {
  return rows.map(({ ticker, allocation }, key) => ({ key, ...splitLeverage(ticker), allocation }))
}

export const nextKey = (items: readonly { key: number }[]): number => Math.max(-1, ...items.map(({ key }) => key)) + 1

/** The sum of the percentages, of rows that will be sent; null while one of them is not a number. */
export function allocationTotal(rows: readonly TickerRow[]): number | null {
  const sent = rows.filter(({ ticker }) => ticker.trim() !== '')
  const total = sent.reduce((sum, { allocation }) => sum + (allocation === '' ? Number.NaN : Number(allocation)), 0)
  return Number.isFinite(total) ? Number(total.toFixed(6)) : null
}
