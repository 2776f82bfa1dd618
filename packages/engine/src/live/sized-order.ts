import type { Usd } from '@tradewright/core/money'
import type { OrderTypeId } from '@tradewright/core/order-types'
import type { UtcMillis } from '@tradewright/core/time'
import type { OrderPart } from '../trading/client-order-id.ts'
import type { OrderSide, OrderSize } from '../trading/order.ts'

/** An order that would bring the slice toward its weights. */
export interface SizedOrder {
  readonly ticker: string
  readonly side: OrderSide
  readonly size: OrderSize
  readonly estimatedValue: Usd
  /** The order is in borrowed shares, which are whole ones: sold short, or bought to give them back. */
  readonly isShort?: boolean
  /** Absent: a market order, at once. */
  readonly sending?: Sending
}

/** How and when an order is sent. */
export interface Sending {
  readonly type: Exclude<OrderTypeId, 'slices'>
  readonly part: OrderPart
  /** Not before; absent: at once. */
  readonly at?: UtcMillis
}
