import type { TickerRow } from './ticker-row.ts'
import { type NumberText, plainTicker } from '../form-values.ts'

/** `spy`, 2 gives `SPY?L=2`; a leverage that was typed into the ticker itself stays. */
export function leveragedTicker(ticker: string, leverage: NumberText | undefined): string {
  const plain = plainTicker(ticker)
  const factor = leverage === undefined || leverage === '' ? 1 : Number(leverage)
  if (!plain || plain.includes('?') || !Number.isFinite(factor) || factor === 1) return plain
  return `${plain}?L=${factor}`
}

/** `SPY?L=2` gives `SPY`, 2. What says more than a factor (`SPY?L=2&E=0.9`) stays in the ticker. */
export function splitLeverage(ticker: string): { ticker: string; leverage?: number } {
  const [, plain, factor] = /^([^?]+)\?L=(-?\d+(?:\.\d+)?)$/i.exec(ticker.trim()) ?? []
  return plain === undefined ? { ticker } : { ticker: plain, leverage: Number(factor) }
}

export const hasLeverageInTicker = ({ ticker }: TickerRow): boolean => ticker.includes('?')

/** Cash has no leverage, and bills are the cash of a portfolio. */
const CASH: ReadonlySet<string> = new Set(['CASHX', 'TBILLX'])
export const isCash = ({ ticker }: TickerRow): boolean => CASH.has(plainTicker(ticker))

const canBeLevered = (row: TickerRow): boolean => !hasLeverageInTicker(row) && !isCash(row)

/** The leverage that all rows share; undefined where they differ. None at all is empty. */
export function sharedLeverage(rows: readonly TickerRow[]): NumberText | undefined {
  const [first = '', ...others] = rows.filter(canBeLevered).map(({ leverage = '' }) => leverage)
  return others.every((one) => one === first || (isNone(one) && isNone(first))) ? first : undefined
}

const isNone = (leverage: NumberText): boolean => leverage === '' || Number(leverage) === 1

/** The leverage of a portfolio is that of each of its rows. */
export const leverAll = (rows: readonly TickerRow[], leverage: NumberText): TickerRow[] =>
  rows.map((row) => (canBeLevered(row) ? { ...row, leverage } : row))

/** What is worth knowing about the leverage of these rows; null while none has any. */
export function leverageHint(rows: readonly TickerRow[]): string | null {
  const typed = rows.find(hasLeverageInTicker)
  if (typed) return `The leverage of ${plainTicker(typed.ticker)} is part of the ticker; change it there.`
  const isLevered = rows.some((row) => leveragedTicker(row.ticker, row.leverage).includes('?'))
  return isLevered
    ? 'Leverage is reset daily and pays interest and fund costs. Percentages above 100 borrow against the account instead.'
    : null
}
