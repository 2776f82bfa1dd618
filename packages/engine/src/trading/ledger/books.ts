import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type Entry, imbalance, type Leg, type Party, partyOf, USD } from './entry.ts'

/** Cash and shares by ticker, none of them zero. */
export interface Slice {
  readonly cash: Usd
  readonly positions: ReadonlyMap<string, Decimal>
}

export const emptySlice: Slice = { cash: Decimal.zero, positions: new Map() }

/** The slices of one brokerage account by owner. */
export type Books = ReadonlyMap<Party, Slice>

export const emptyBooks: Books = new Map()

export const sliceOf = (books: Books, party: Party): Slice => books.get(party) ?? emptySlice

export const sliceOfDeployment = (books: Books, deploymentId: number): Slice => sliceOf(books, partyOf(deploymentId))

/** An entry that does not balance is a bug, never a state of the books. */
export function post(books: Books, { key, legs }: Pick<Entry, 'key' | 'legs'>): Books {
  const left = [...imbalance(legs)]
  if (left.length > 0) {
    throw new Error(
      `entry ${key} does not balance: ${left.map(([asset, sum]) => `${asset} ${String(sum)}`).join(', ')}`,
    )
  }
  const after = new Map(books)
  for (const leg of legs) after.set(leg.party, withLeg(sliceOf(after, leg.party), leg))
  return after
}

function withLeg({ cash, positions }: Slice, { asset, amount }: Leg): Slice {
  if (asset === USD) return { cash: cash.plus(amount), positions }
  const quantity = (positions.get(asset) ?? Decimal.zero).plus(amount)
  const changed = new Map(positions)
  if (quantity.isZero) changed.delete(asset)
  else changed.set(asset, quantity)
  return { cash, positions: changed }
}

/** All that the account holds: every slice and the unallocated rest. */
export function accountTotal(books: Books): Slice {
  let cash = Decimal.zero
  const positions = new Map<string, Decimal>()
  for (const [party, slice] of books) {
    if (party === 'market') continue
    cash = cash.plus(slice.cash)
    for (const [ticker, quantity] of slice.positions) {
      positions.set(ticker, (positions.get(ticker) ?? Decimal.zero).plus(quantity))
    }
  }
  return { cash, positions: new Map([...positions].filter(([, quantity]) => !quantity.isZero)) }
}

/** The newest price of a ticker; undefined where none is known. */
export type PriceOf = (ticker: string) => Usd | undefined

/** Positions without a price count as nothing; a caller that must not guess asks `unpriced` first. */
export function valueOf({ cash, positions }: Slice, priceOf: PriceOf): Usd {
  let value = cash
  for (const [ticker, quantity] of positions) value = value.plus(quantity.times(priceOf(ticker) ?? Decimal.zero))
  return value
}

export const unpriced = ({ positions }: Slice, priceOf: PriceOf): string[] =>
  [...positions.keys()].filter((ticker) => priceOf(ticker) === undefined)

/** Borrowed shares that are owed, by ticker. */
export const shortPositions = ({ positions }: Slice): [ticker: string, owed: Decimal][] =>
  [...positions].filter(([, quantity]) => quantity.isNegative).map(([ticker, held]) => [ticker, held.negated()])

/** What everyone else in the account owns of a ticker, the unallocated rest included; negative where they are short of it. */
export function heldByOthers(books: Books, deploymentId: number, ticker: string): Decimal {
  const own = partyOf(deploymentId)
  let held = Decimal.zero
  for (const [party, { positions }] of books) {
    if (party !== own && party !== 'market') held = held.plus(positions.get(ticker) ?? Decimal.zero)
  }
  return held
}

/** Cash that is free: the proceeds of borrowed shares are owed. Undefined where a price is missing that says how much. */
export function freeCash({ cash, positions }: Slice, priceOf: PriceOf): Usd | undefined {
  let free = cash
  for (const [ticker, quantity] of positions) {
    if (!quantity.isNegative) continue
    const price = priceOf(ticker)
    if (!price) return undefined
    free = free.plus(quantity.times(price))
  }
  return free
}
