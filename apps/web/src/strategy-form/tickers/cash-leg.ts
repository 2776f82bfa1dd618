import { nextKey } from './allocation-rows.ts'
import type { TickerRow } from './ticker-row.ts'
import { plainTicker } from '../form-values.ts'

const isCashRow = ({ ticker }: TickerRow): boolean => plainTicker(ticker) === 'CASHX'

/** Whether these rows hold cash by name. `emptyIsCash`: no rows are cash as well. */
export const holdsIdleCash = (rows: readonly TickerRow[], emptyIsCash: boolean): boolean =>
  rows.some(isCashRow) || (emptyIsCash && rows.every(({ ticker }) => ticker.trim() === ''))

/** The same rows with bills in the place of cash. */
export function withBills(rows: readonly TickerRow[]): TickerRow[] {
  const named = rows.filter(({ ticker }) => ticker.trim() !== '')
  if (named.length === 0) return [{ key: nextKey(rows), ticker: 'TBILLX', allocation: 100 }]
  return named.map((row) => (isCashRow(row) ? inBills(row) : row))
}

const inBills = (row: TickerRow): TickerRow => ({ ...row, ticker: 'TBILLX' })
