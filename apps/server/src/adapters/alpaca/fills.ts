import { Decimal } from '@tradewright/core/decimal'
import type { UtcMillis } from '@tradewright/core/time'
import type { AccountActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import type { Fill } from '@tradewright/engine/trading/broker'

/** Executions name the broker's order only; `clientIdOf` finds our id of it. */
export async function toFills(
  activities: readonly AccountActivity[],
  clientIdOf: (orderId: string) => Promise<string | undefined>,
  since: UtcMillis,
): Promise<Fill[]> {
  const trades = activities.filter(
    (activity): activity is TradeActivity => activity.kind === 'trade' && activity.at >= since,
  )
  const clientIds = new Map<string, string>()
  const fills = new Map<string, Fill>()
  for (const trade of trades) {
    const orderId = trade.orderId ?? ''
    if (!clientIds.has(orderId)) clientIds.set(orderId, (await clientIdOf(orderId)) ?? orderId)
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
  ...(trade.state && { state: trade.state }),
  ...(trade.replaces !== undefined && { replaces: trade.replaces }),
})
