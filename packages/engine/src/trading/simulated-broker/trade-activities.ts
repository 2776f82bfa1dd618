import type { ActivityQuery, TradeActivity } from '../account-activity.ts'
import type { Fill } from '../broker.ts'

export function tradeActivities(fills: readonly Fill[], { kind, since, order }: ActivityQuery): TradeActivity[] {
  if (kind !== 'trades') return []
  const trades = fills.filter(({ at }) => since === undefined || at >= since).map(tradeActivity)
  return order === 'newest-first' ? trades.toReversed() : trades
}

export const tradeActivity = ({ executionId, at, ticker, side, quantity, price, orderId }: Fill): TradeActivity => ({
  kind: 'trade',
  id: executionId,
  at,
  ticker,
  side,
  quantity,
  price,
  orderId,
})
