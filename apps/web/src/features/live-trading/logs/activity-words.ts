import type { ActivityItem } from '@tradewright/contract/live-trading-fields'
import { formatMoney, formatPercent, formatQuantity } from '../../../lib/format.ts'

interface Words {
  title: string
  detail: string
}

export function activityWords(item: ActivityItem): Words {
  if (item.type === 'event') return { title: item.message, detail: '' }
  if (item.type === 'signal') {
    const confidence = item.confidence === null ? '' : ` · ${formatPercent(item.confidence)} confidence`
    return { title: `Signal: ${item.signal_type}${confidence}`, detail: item.action_taken }
  }
  const price = item.price === null ? '' : ` at ${formatMoney(item.price)}`
  const side = item.side === 'buy' ? 'Buy' : 'Sell'
  const reason = item.reason ? ` · ${item.reason}` : ''
  return {
    title: `${side} ${formatQuantity(item.quantity)} ${item.symbol}${price}`,
    detail: `${item.status}${reason}`,
  }
}
