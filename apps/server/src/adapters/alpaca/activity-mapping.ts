import { Decimal } from '@tradewright/core/decimal'
import { dayStamp, epochDayOf, parseDate } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/stamps'
import {
  type AccountActivity,
  type ActivityKind,
  EXTERNAL_FLOW_TYPES,
} from '@tradewright/engine/trading/account-activity'
import type { Query } from '../http/http-client.ts'
import type { AlpacaActivity } from './schema.ts'
import { contractSize, toTicker } from './symbols.ts'

export const ACTIVITY_FILTERS = {
  trades: { activity_types: 'FILL' },
  cash: { category: 'non_trade_activity' },
  external: { activity_types: EXTERNAL_FLOW_TYPES.join(',') },
} as const satisfies Record<ActivityKind, Query>

/** Undefined for what was cancelled, or cannot be placed in time. */
export function toActivity(sent: AlpacaActivity): AccountActivity | undefined {
  if (sent.status === 'canceled') return undefined
  return sent.activity_type === 'FILL' ? toTrade(sent) : toCash(sent)
}

function toTrade(sent: AlpacaActivity): AccountActivity | undefined {
  const { id, transaction_time: at, symbol, qty, price, order_id: orderId } = sent
  if (at === undefined || symbol === undefined || !qty || !price) return undefined
  // `sell_short` is a sale, too.
  const side = sent.side?.startsWith('sell') ? 'sell' : 'buy'
  const ticker = toTicker(symbol, undefined)
  const quantity = qty.absolute()
  return { kind: 'trade', id, at, ticker, side, quantity, price: price.times(contractSize(symbol)), orderId }
}

function toCash(sent: AlpacaActivity): AccountActivity | undefined {
  const day = dayOf(sent)
  if (day === undefined) return undefined
  const moved = movedQuantity(sent)
  return {
    kind: 'cash',
    id: sent.id,
    at: sent.created_at ?? dayStamp(day),
    day,
    ...(sent.created_at !== undefined && { bookedAt: sent.created_at }),
    type: sent.activity_type,
    netAmount: amountOf(sent),
    description: sent.description ?? '',
    ticker: sent.symbol === undefined || sent.symbol === '' ? undefined : tickerOf(sent.symbol, sent.activity_type),
    ...(moved && { quantity: moved }),
  }
}

/** Fees of coins name the pair without its slash. */
const tickerOf = (symbol: string, type: string): string => toTicker(symbol, type === 'CFEE' ? 'crypto' : undefined)

/** Securities that are transferred and fees that are taken in the coin come without an amount, but with a price. */
function movedQuantity({ net_amount, qty, symbol }: AlpacaActivity): Decimal | undefined {
  const isMoney = net_amount !== undefined && !net_amount.isZero
  return isMoney || !symbol || !qty || qty.isZero ? undefined : qty
}

function amountOf(sent: AlpacaActivity): Decimal {
  const moved = movedQuantity(sent)
  if (moved) return moved.times(sent.price ?? Decimal.zero)
  return sent.net_amount ?? Decimal.zero
}

/** The date it counts for; an id begins with one as well. */
function dayOf({ date, created_at, id }: AlpacaActivity): number | undefined {
  const stated = date === undefined ? undefined : parseDate(date.slice(0, 10))
  if (stated !== undefined) return stated
  if (created_at !== undefined) return epochDayOf(stampAsNewYorkDay(created_at))
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(id) ?? []
  return parseDate(`${year}-${month}-${day}`)
}
