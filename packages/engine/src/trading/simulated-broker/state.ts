import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { Fill } from '../broker.ts'
import type { Order } from '../order.ts'

export interface HeldPosition {
  readonly quantity: Decimal
  readonly averageEntryPrice: Usd
}

/**
 * Everything a simulated broker knows, as plain values: the rules beside this file turn one state into the next, so the
 * built-in paper account can keep it in a database and a backtest in memory.
 */
export interface BrokerState {
  readonly cash: Usd
  readonly positions: ReadonlyMap<string, HeldPosition>
  /** By our id, oldest first. */
  readonly orders: ReadonlyMap<string, Order>
  readonly fills: readonly Fill[]
  readonly issued: IssuedIds
}

/** How many ids of each kind were given out, so that they go on when only a part of the past is at hand. */
interface IssuedIds {
  readonly prefix: string
  readonly orders: number
  readonly fills: number
}

export const openAccount = (cash: Usd): BrokerState => ({
  cash,
  positions: new Map(),
  orders: new Map(),
  fills: [],
  issued: { prefix: 'simulated', orders: 0, fills: 0 },
})

/** The newest price of a ticker, or undefined when there is none. */
export type Quote = (ticker: string) => Usd | undefined

export function equityOf({ cash, positions }: BrokerState, quote: Quote): Usd {
  let equity = cash
  for (const [ticker, { quantity, averageEntryPrice }] of positions) {
    equity = equity.plus(quantity.times(quote(ticker) ?? averageEntryPrice))
  }
  return equity
}

/** The position after a trade: average cost while it grows, unchanged cost while it shrinks, a new one past zero. */
export function afterTrade(held: HeldPosition | undefined, quantity: Decimal, price: Usd): HeldPosition | undefined {
  if (!held) return { quantity, averageEntryPrice: price }
  const total = held.quantity.plus(quantity)
  if (total.isZero) return undefined
  const isGrowing = held.quantity.isNegative === quantity.isNegative
  if (isGrowing) {
    const paid = held.quantity.times(held.averageEntryPrice).plus(quantity.times(price))
    return { quantity: total, averageEntryPrice: paid.dividedBy(total) }
  }
  const isTurned = total.isNegative !== held.quantity.isNegative
  return { quantity: total, averageEntryPrice: isTurned ? price : held.averageEntryPrice }
}

/** A dividend of what is held: cash in, or out for a short position. */
export function payDividend(state: BrokerState, ticker: string, perShare: Usd): BrokerState {
  const held = state.positions.get(ticker)
  return held ? { ...state, cash: state.cash.plus(held.quantity.times(perShare)) } : state
}

/** A split of what is held: more shares at a smaller cost each. */
export function applySplit(state: BrokerState, ticker: string, ratio: Decimal): BrokerState {
  const held = state.positions.get(ticker)
  if (!held) return state
  const split = { quantity: held.quantity.times(ratio), averageEntryPrice: held.averageEntryPrice.dividedBy(ratio) }
  return { ...state, positions: new Map(state.positions).set(ticker, split) }
}
