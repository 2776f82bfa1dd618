import type { ActivityItem } from '@tradewright/contract/live-trading-fields'
import { formatMoney, formatPercent, formatQuantity } from '../../../lib/format.ts'

interface Words {
  title: string
  detail: string
  /** Who caused it, and from which session; absent where that is not kept. */
  by?: string
}

export function activityWords(item: ActivityItem): Words {
  if (item.type === 'event') return { title: item.message, detail: '', by: actorText(item.actor) }
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

type Actor = Extract<ActivityItem, { type: 'event' }>['actor']

function actorText(actor: Actor): string {
  if (!actor) return ''
  if (actor.kind !== 'user') return actor.kind === 'schedule' ? 'By schedule' : 'By system'
  return actor.session ? `By ${actor.name} · ${actor.session}` : `By ${actor.name}`
}
