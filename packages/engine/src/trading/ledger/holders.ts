import { Decimal } from '@tradewright/core/decimal'
import type { Books } from './books.ts'
import { deploymentIdOf, type Party } from './entry.ts'

export interface Holder {
  readonly party: Party
  readonly quantity: Decimal
}

/** The owners of shares of a ticker, the unallocated rest included. */
export const ownersOf = (books: Books, ticker: string): Holder[] =>
  [...books].flatMap(([party, { positions }]) => {
    const quantity = positions.get(ticker)
    return party === 'market' || !quantity?.isPositive ? [] : [{ party, quantity }]
  })

/** Holders who owe shares of a ticker that they sold short, with how many. */
export const debtorsOf = (books: Books, ticker: string): Holder[] =>
  [...books].flatMap(([party, { positions }]) => {
    const quantity = positions.get(ticker)
    return party === 'market' || !quantity?.isNegative ? [] : [{ party, quantity: quantity.absolute() }]
  })

/**
 * Whose position of a ticker changes when something happens to its shares: their owners, or those who owe them. In one
 * account no deployment is long of a ticker while another is short of it.
 */
export function holdersOf(books: Books, ticker: string): Holder[] {
  const owners = ownersOf(books, ticker)
  return owners.length > 0 ? owners : debtorsOf(books, ticker)
}

export const isDeployment = ({ party }: Holder): boolean => deploymentIdOf(party) !== undefined

export const heldBy = (holders: readonly Holder[]): Decimal =>
  holders.reduce((sum, { quantity }) => sum.plus(quantity), Decimal.zero)

/**
 * Divides an amount in proportion to what each holds, to the last billionth: nothing is lost, and no holder gives more
 * than its exact share rounded up.
 */
export function inProportion(amount: Decimal, holders: readonly Holder[]): Decimal[] {
  const total = heldBy(holders).billionths
  const exact = holders.map(({ quantity }) => amount.billionths * quantity.billionths)
  const parts = exact.map((share) => share / total)
  let left = parts.reduce((rest, part) => rest - part, amount.billionths)
  const unit = left < 0n ? -1n : 1n
  for (let i = holders.length - 1; left !== 0n && i >= 0; i--) {
    if (exact[i]! % total === 0n) continue
    parts[i]! += unit
    left -= unit
  }
  return parts.map((part) => new Decimal(part))
}
