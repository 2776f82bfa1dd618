import { Decimal } from '@tradewright/core/decimal'
import { dateOf, dayStamp, type EpochDay, epochDayOf, parseDate } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  type AccountActivity,
  type ActivityKind,
  EXTERNAL_FLOW_TYPES,
  isCorporateAction,
} from '@tradewright/engine/trading/account-activity'
import type { Query } from '../http/http-client.ts'
import type { AlpacaActivity } from './schema.ts'
import { contractSize, toTicker } from './symbols.ts'

export const ACTIVITY_FILTERS = {
  trades: { activity_types: 'FILL' },
  cash: { category: 'non_trade_activity' },
  external: { activity_types: EXTERNAL_FLOW_TYPES.join(',') },
} as const satisfies Record<ActivityKind, Query>

/** Undefined for what cannot be placed in time, and for executions without a quantity or a price. */
export const toActivity = (sent: AlpacaActivity): AccountActivity | undefined =>
  sent.activity_type === 'FILL' ? toTrade(sent) : toCash(sent)

function toTrade(sent: AlpacaActivity): AccountActivity | undefined {
  const { id, transaction_time: at, symbol, order_id: orderId } = sent
  // One that was cancelled is only named.
  const nothing = sent.status === 'canceled' ? Decimal.zero : undefined
  const [qty = nothing, price = nothing] = [sent.qty, sent.price]
  if (at === undefined || !symbol || !qty || !price || price.isNegative) return undefined
  // `sell_short` is a sale, too.
  const side = sent.side?.startsWith('sell') ? 'sell' : 'buy'
  const ticker = toTicker(symbol, undefined)
  const quantity = qty.absolute()
  const paid = price.times(contractSize(symbol))
  return { kind: 'trade', id, at, ticker, side, quantity, price: paid, orderId, ...correctionOf(sent) }
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
    ...exDayOf(sent),
    ...(sent.per_share_amount && { perShare: sent.per_share_amount.toNumber() }),
    ...(moved && { quantity: moved }),
    ...(sent.group_id && { group: sent.group_id }),
    ...correctionOf(sent),
  }
}

/** From then on US stocks settle in a day, and a dividend goes ex on its record date; a day before it until then. */
const SETTLED_IN_A_DAY = dateOf('2024-05-28')

/** As in `Cash DIV @ 0.88, Pos QTY: 206, Rec Date: 2026-11-06`. */
const RECORD_DATE = /\brec(?:ord)? date:?\s*(\d{4}-\d{2}-\d{2})/i

function exDayOf({ description }: AlpacaActivity): { exDay?: EpochDay } {
  const recordDay = parseDate(RECORD_DATE.exec(description ?? '')?.[1] ?? '')
  if (recordDay === undefined) return {}
  return { exDay: recordDay < SETTLED_IN_A_DAY ? nyse.previousSession(recordDay) : recordDay }
}

const correctionOf = ({ status, previous_id: replaces }: AlpacaActivity) => ({
  ...(status === 'canceled' && { state: 'canceled' as const }),
  ...(status === 'correct' && { state: 'corrected' as const }),
  ...(replaces && { replaces }),
})

/** Fees of coins name the pair without its slash. */
const tickerOf = (symbol: string, type: string): string => toTicker(symbol, type === 'CFEE' ? 'crypto' : undefined)

/**
 * Securities that are transferred and fees that are taken in the coin come without an amount, but with a price. A dividend
 * names the shares that it is paid for; a corporate action moves money beside the shares, as when an option is exercised.
 */
function movedQuantity({ net_amount, qty, symbol, activity_type: type }: AlpacaActivity): Decimal | undefined {
  if (!symbol || !qty || qty.isZero) return undefined
  const isMoney = net_amount !== undefined && !net_amount.isZero
  return isMoney && !isCorporateAction({ type }) ? undefined : qty
}

function amountOf(sent: AlpacaActivity): Decimal {
  const moved = movedQuantity(sent)
  const isAction = isCorporateAction({ type: sent.activity_type, ...(moved && { quantity: moved }) })
  if (moved && !isAction) return moved.times(sent.price ?? Decimal.zero)
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
