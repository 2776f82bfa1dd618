import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { UtcMillis } from '@tradewright/core/time'
import { hasEnded, type Order, type OrderRequest } from '../order.ts'
import type { BrokerState } from './state.ts'

/** Takes an order in, or refuses it. It waits until `fillOrders` is given a price. */
export function acceptOrder(state: BrokerState, request: OrderRequest, at: UtcMillis): [BrokerState, Order] {
  if (state.orders.has(request.clientOrderId)) throw refused('conflict', 'client_order_id must be unique')
  const size = 'quantity' in request.size ? request.size.quantity : request.size.notional
  if (!size.isPositive) throw refused('invalid', 'the size of an order must be positive')
  const issued = { ...state.issued, orders: state.issued.orders + 1 }
  const order: Order = {
    ...request,
    id: `${issued.prefix}-${issued.orders}`,
    state: 'accepted',
    filledQuantity: Decimal.zero,
    averageFillPrice: undefined,
    submittedAt: at,
    endedAt: undefined,
    reason: undefined,
  }
  return [withOrder({ ...state, issued }, order), order]
}

export function cancelOrder(state: BrokerState, orderId: string, at: UtcMillis): BrokerState {
  const order = [...state.orders.values()].find(({ id }) => id === orderId)
  if (!order) throw refused('missing', 'order not found')
  if (hasEnded(order.state)) throw refused('conflict', `the order is already ${order.state}`)
  return withOrder(state, { ...order, state: 'canceled', endedAt: at })
}

export const withOrder = (state: BrokerState, order: Order): BrokerState => ({
  ...state,
  orders: new Map(state.orders).set(order.clientOrderId, order),
})

const refused = (kind: 'invalid' | 'conflict' | 'missing', reason: string) =>
  new Problem(kind, 'broker.order-refused', `The broker refused the order: ${reason}.`)
