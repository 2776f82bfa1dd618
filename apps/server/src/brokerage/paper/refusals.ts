import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { hasEnded, type OrderRequest } from '@tradewright/engine/trading/order'
import type { RefusalTable } from '@tradewright/engine/trading/refusals'
import { isAroundTheClock } from '@tradewright/engine/trading/paper-account/paper-market'
import type { BrokerState } from '@tradewright/engine/trading/simulated-broker/state'

export const refusedOrder = (kind: 'invalid' | 'conflict' | 'missing', reason: string): Problem =>
  new Problem(kind, 'broker.order-refused', `The broker refused the order: ${reason}.`)

/** The built-in account's own reasons. */
export const PAPER_REFUSALS: RefusalTable = [
  { words: /insufficient qty|long buy order is open/i, again: 'later' },
  { words: /is not active|not accepted at this time|halted/i, again: 'next-session' },
  { words: /whole shares|no multiple of|fractional orders|no auction/i, again: 'ask' },
]

export const duplicateOrder = (): Problem => refusedOrder('conflict', 'client_order_id must be unique')

/**
 * What is held may be sold, and whole shares of a stock or fund that is not held. As at a real broker no order goes from a
 * long position to a short one or back, and there are none on both sides of it.
 */
export function checkRequest(state: BrokerState, { ticker, side, size }: OrderRequest): void {
  const held = state.positions.get(ticker)?.quantity ?? Decimal.zero
  const owned = side === 'sell' ? held : held.negated()
  const open = openQuantity(state, ticker, side)
  const available = owned.minus(open)
  // Dollars may buy more shares than are owed.
  const isWithin = 'quantity' in size ? !available.isBelow(size.quantity) : side === 'sell' && available.isPositive
  if (isWithin) return
  if (side === 'buy') return checkPurchase(held, available, size)
  const isShortSale = !owned.isPositive && 'quantity' in size && !isAroundTheClock(ticker)
  if (!isShortSale) {
    const requested = 'quantity' in size ? String(size.quantity) : usd(size.notional)
    const amounts = `(requested: ${requested}, available: ${String(available)})`
    throw refusedOrder('invalid', `insufficient qty available for order ${amounts}`)
  }
  if (!Number.isInteger(size.quantity.toNumber())) {
    throw refusedOrder('invalid', 'fractional orders cannot be sold short')
  }
  if (openQuantity(state, ticker, 'buy').isPositive) {
    throw refusedOrder('invalid', 'cannot open a short sell while a long buy order is open')
  }
}

/** Exchanges take no offers in parts of a cent from a dollar on (rule 612 of Regulation NMS), and below in hundredths of one. */
export function checkPriceStep({ ticker, execution }: OrderRequest): void {
  if (execution.type === 'market' || isAroundTheClock(ticker)) return
  const digits = execution.limitPrice.isBelow(ONE) ? 4 : 2
  if (execution.limitPrice.equals(execution.limitPrice.rounded(digits))) return
  const step = digits === 2 ? 'a cent' : 'a hundredth of a cent'
  throw refusedOrder('invalid', `the limit price is no multiple of ${step}`)
}

const ONE = Decimal.parse('1')

function checkPurchase(held: Decimal, available: Decimal, size: OrderRequest['size']): void {
  if (!held.isNegative) return
  const requested = 'quantity' in size ? String(size.quantity) : usd(size.notional)
  const amounts = `(requested: ${requested}, available: ${String(available)})`
  throw refusedOrder('invalid', `insufficient qty available for order ${amounts}`)
}

const openQuantity = ({ orders }: BrokerState, ticker: string, side: OrderRequest['side']): Decimal =>
  [...orders.values()]
    .filter((order) => order.ticker === ticker && order.side === side && !hasEnded(order.state))
    .reduce((sum, order) => sum.plus(remaining(order)), Decimal.zero)

const remaining = ({ size, filledQuantity }: OrderRequest & { filledQuantity: Decimal }): Decimal =>
  'quantity' in size ? size.quantity.minus(filledQuantity) : Decimal.zero
