import { Decimal } from '@tradewright/core/decimal'
import { hasEnded, type Order, type OrderRequest, type OrderState } from '@tradewright/engine/trading/order'
import type { AlpacaOrder } from './schema.ts'
import { alpacaTimeInForce, contractSize, toAlpacaSymbol, toTicker } from './symbols.ts'

/** Alpaca has many words for an open order; all that are not here are `accepted`. */
const STATES: Readonly<Record<string, OrderState>> = {
  pending_new: 'pending',
  partially_filled: 'partially_filled',
  filled: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
  replaced: 'replaced',
}

export function toOrder(sent: AlpacaOrder): Order {
  const filledQuantity = sent.filled_qty ?? Decimal.zero
  const state = stateOf(sent.status, filledQuantity)
  const endedAt = sent.filled_at ?? sent.canceled_at ?? sent.expired_at ?? sent.failed_at ?? sent.replaced_at
  return {
    id: sent.id,
    clientOrderId: sent.client_order_id,
    ticker: toTicker(sent.symbol, sent.asset_class),
    side: sent.side,
    size:
      sent.qty === undefined && sent.notional ? { notional: sent.notional } : { quantity: sent.qty ?? filledQuantity },
    execution: sent.limit_price ? { type: 'limit', limitPrice: sent.limit_price } : { type: 'market' },
    timeInForce: timeInForceOf(sent.time_in_force),
    state,
    filledQuantity,
    averageFillPrice: sent.filled_avg_price?.times(contractSize(sent.symbol)),
    submittedAt: submittedAt(sent),
    endedAt: hasEnded(state) ? endedAt : undefined,
    reason: state === 'rejected' ? (sent.reject_reason ?? 'Alpaca rejected the order') : undefined,
  }
}

export const submittedAt = ({ submitted_at, created_at }: AlpacaOrder): number => submitted_at ?? created_at ?? 0

function stateOf(status: string, filledQuantity: Decimal): OrderState {
  const state = STATES[status] ?? 'accepted'
  return state === 'accepted' && filledQuantity.isPositive ? 'partially_filled' : state
}

const TIMES_IN_FORCE = ['day', 'gtc', 'opg', 'cls', 'ioc', 'fok'] as const

const timeInForceOf = (text: string): OrderRequest['timeInForce'] => TIMES_IN_FORCE.find((one) => one === text) ?? 'day'

/** Numbers travel as text. */
export const toOrderBody = ({ clientOrderId, ticker, side, size, execution, timeInForce }: OrderRequest) => ({
  client_order_id: clientOrderId,
  symbol: toAlpacaSymbol(ticker),
  side,
  type: execution.type,
  time_in_force: alpacaTimeInForce(ticker, timeInForce),
  ...('quantity' in size ? { qty: String(size.quantity) } : { notional: String(size.notional) }),
  ...(execution.type === 'limit' && { limit_price: String(execution.limitPrice) }),
})
