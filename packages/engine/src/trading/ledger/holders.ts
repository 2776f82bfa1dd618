import { Decimal } from '@tradewright/core/decimal'
import type { Books } from './books.ts'
import type { Party } from './entry.ts'

export interface Holder {
  readonly party: Party
  readonly quantity: Decimal
}

/** Who owns shares of a ticker, the unallocated rest included. */
export const holdersOf = (books: Books, ticker: string): Holder[] =>
  [...books].flatMap(([party, { positions }]) => {
    const quantity = positions.get(ticker)
    return party === 'market' || !quantity?.isPositive ? [] : [{ party, quantity }]
  })

/** Shares an amount out in proportion to what each holds; what rounding leaves goes to the last, so nothing is lost. */
export function inProportion(amount: Decimal, holders: readonly Holder[]): Decimal[] {
  const total = holders.reduce((sum, { quantity }) => sum.plus(quantity), Decimal.zero)
  let left = amount
  return holders.map(({ quantity }, i) => {
    const part = i === holders.length - 1 ? left : amount.times(quantity).dividedBy(total)
    left = left.minus(part)
    return part
  })
}
