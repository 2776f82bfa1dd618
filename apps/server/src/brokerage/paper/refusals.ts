import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { hasEnded, type OrderRequest } from '@tradewright/engine/trading/order'
import type { BrokerState } from '@tradewright/engine/trading/simulated-broker/state'

export const refusedOrder = (kind: 'invalid' | 'conflict' | 'missing', reason: string): Problem =>
  new Problem(kind, 'broker.order-refused', `The broker refused the order: ${reason}.`)

export const duplicateOrder = (): Problem => refusedOrder('conflict', 'client_order_id must be unique')

/** Only what is held may be sold: the account has no margin. */
export function checkRequest({ positions, orders }: BrokerState, { ticker, side, size }: OrderRequest): void {
  if (side === 'buy') return
  const held = positions.get(ticker)?.quantity ?? Decimal.zero
  const available = [...orders.values()]
    .filter((order) => order.ticker === ticker && order.side === 'sell' && !hasEnded(order.state))
    .reduce((left, order) => left.minus(remaining(order)), held)
  const isTooMuch = 'quantity' in size ? available.isBelow(size.quantity) : !available.isPositive
  if (!isTooMuch) return
  const requested = 'quantity' in size ? String(size.quantity) : usd(size.notional)
  const amounts = `(requested: ${requested}, available: ${String(available)})`
  throw refusedOrder('invalid', `insufficient qty available for order ${amounts}`)
}

const remaining = ({ size, filledQuantity }: OrderRequest & { filledQuantity: Decimal }): Decimal =>
  'quantity' in size ? size.quantity.minus(filledQuantity) : Decimal.zero
