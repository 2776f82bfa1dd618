import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'

export type OrderSide = 'buy' | 'sell'

/** How much: shares, or dollars for a broker that can turn them into a fraction of a share. */
export type OrderSize = { readonly quantity: Decimal } | { readonly notional: Usd }

type OrderType = { readonly type: 'market' } | { readonly type: 'limit'; readonly limitPrice: Usd }

export interface OrderRequest {
  /** Ours, chosen before the order is sent, so that its fate can be asked for. */
  readonly clientOrderId: string
  readonly ticker: string
  readonly side: OrderSide
  readonly size: OrderSize
  readonly execution: OrderType
  /** `day` expires at the close, `opg` and `cls` trade in the opening and closing auction. */
  readonly timeInForce: 'day' | 'gtc' | 'opg' | 'cls' | 'ioc' | 'fok'
}

export type OrderState =
  'pending' | 'accepted' | 'partially_filled' | 'filled' | 'canceled' | 'expired' | 'rejected' | 'replaced'

/** Where an order may still go from each state; an empty list is the end. */
const ORDER_MOVES = {
  pending: ['accepted', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected', 'replaced'],
  accepted: ['partially_filled', 'filled', 'canceled', 'expired', 'rejected', 'replaced'],
  partially_filled: ['partially_filled', 'filled', 'canceled', 'expired', 'replaced'],
  filled: [],
  canceled: [],
  expired: [],
  rejected: [],
  replaced: [],
} as const satisfies Record<OrderState, readonly OrderState[]>

export const hasEnded = (state: OrderState): boolean => ORDER_MOVES[state].length === 0

export interface Order extends OrderRequest {
  /** The broker's id. */
  readonly id: string
  readonly state: OrderState
  readonly filledQuantity: Decimal
  /** Undefined until something is filled. */
  readonly averageFillPrice: Usd | undefined
  readonly submittedAt: UtcMillis
  readonly endedAt: UtcMillis | undefined
  /** The broker's words when it was rejected. */
  readonly reason: string | undefined
}
