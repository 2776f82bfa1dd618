import { Decimal } from '@tradewright/core/decimal'
import type { UtcMillis } from '@tradewright/core/time'
import type { AccountActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import type { Fill } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'

interface OrderSource {
  readonly recentOrders: () => Promise<readonly Order[]>
  readonly orderOf: (id: string) => Promise<Pick<Order, 'clientOrderId'> | undefined>
}

/** Executions name the broker's order only; our id is looked up, for most of them in one list. */
export async function toFills(
  activities: readonly AccountActivity[],
  source: OrderSource,
  since: UtcMillis,
): Promise<Fill[]> {
  const trades = activities.filter((activity) => activity.kind === 'trade' && activity.at >= since) as TradeActivity[]
  if (trades.length === 0) return []
  const clientIds = new Map((await source.recentOrders()).map(({ id, clientOrderId }) => [id, clientOrderId]))
  const fills = new Map<string, Fill>()
  for (const trade of trades) {
    const orderId = trade.orderId ?? ''
    // Sent before the first of these executions.
    if (!clientIds.has(orderId)) clientIds.set(orderId, (await source.orderOf(orderId))?.clientOrderId ?? orderId)
    fills.set(trade.id, toFill(trade, orderId, clientIds.get(orderId) ?? orderId))
  }
  return [...fills.values()].sort((a, b) => a.at - b.at)
}

const toFill = (trade: TradeActivity, orderId: string, clientOrderId: string): Fill => ({
  executionId: trade.id,
  orderId,
  clientOrderId,
  ticker: trade.ticker,
  side: trade.side,
  quantity: trade.quantity,
  price: trade.price,
  // Regulatory fees are activities of their own.
  fee: Decimal.zero,
  at: trade.at,
})
