import { formatNumber } from '../lib/format.ts'

/** `$1,000.00`, or `EUR 1,000.00` for any other currency than the dollar. */
export const moneyIn = (currency: string | null | undefined, amount: number | null | undefined): string =>
  formatNumber(amount, { decimals: 2, prefix: prefixOf(currency) })

/** The same with its sign, for P&L: zero counts as a gain. */
export const signedMoneyIn = (currency: string | null | undefined, amount: number | null | undefined): string =>
  formatNumber(amount, { decimals: 2, prefix: prefixOf(currency), sign: 'always' })

function prefixOf(currency: string | null | undefined): string {
  const code = currency || 'USD'
  return code === 'USD' ? '$' : `${code} `
}
