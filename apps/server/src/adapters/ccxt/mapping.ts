import { Decimal } from '@tradewright/core/decimal'
import { epochDayOf } from '@tradewright/core/time'
import type { CashActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import type { BrokerAccount, Fill, Position, TradableAsset } from '@tradewright/engine/trading/broker'
import { hasEnded, type Order, type OrderState } from '@tradewright/engine/trading/order'
import { toClientOrderId } from './client-order-ids.ts'
import type { ExchangeDefinition } from './exchange-definition.ts'
import type * as schema from './schema.ts'

/** Coins have the dollar in their ticker, whichever dollar the exchange trades them for. */
const DOLLARS = '-USD'

const tickerOfCoin = (coin: string): string => `${coin}${DOLLARS}`

/** ccxt's symbol; undefined for a ticker that is no coin in dollars. */
export const symbolOf = (ticker: string, { quote }: ExchangeDefinition): string | undefined =>
  ticker.endsWith(DOLLARS) ? `${ticker.slice(0, -DOLLARS.length)}/${quote}` : undefined

const tickerOfSymbol = (symbol: string): string => tickerOfCoin(symbol.split('/')[0]!)

/** An id that names the market as well, where the exchange asks for both. */
export const idIn = ({ listsPerMarket }: ExchangeDefinition, symbol: string, id: string): string =>
  listsPerMarket ? `${symbol}:${id}` : id

/** Takes an id of `idIn` apart again; one that names no market has no symbol. */
export function readId({ listsPerMarket }: ExchangeDefinition, id: string): { id: string; symbol: string | undefined } {
  const colon = id.indexOf(':')
  return listsPerMarket && colon > 0
    ? { symbol: id.slice(0, colon), id: id.slice(colon + 1) }
    : { symbol: undefined, id }
}

/** ccxt's words for the state of an order; `open` may be filled in part. */
const STATES: Readonly<Record<string, OrderState>> = {
  closed: 'filled',
  canceled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
}

export function toOrder(sent: schema.Order, definition: ExchangeDefinition): Order {
  const ticker = tickerOfSymbol(sent.symbol)
  const filledQuantity = sent.filled ?? Decimal.zero
  const state = stateOf(sent.status, filledQuantity)
  const timeInForce = sent.timeInForce?.toLowerCase()
  return {
    id: idIn(definition, sent.symbol, sent.id),
    clientOrderId: toClientOrderId(sent.clientOrderId ?? sent.id, ticker, sent.side),
    ticker,
    side: sent.side,
    size: { quantity: sent.amount ?? filledQuantity },
    execution: sent.type === 'limit' && sent.price ? { type: 'limit', limitPrice: sent.price } : { type: 'market' },
    timeInForce: timeInForce === 'ioc' || timeInForce === 'fok' ? timeInForce : 'gtc',
    state,
    filledQuantity,
    averageFillPrice: filledQuantity.isZero ? undefined : sent.average,
    submittedAt: sent.timestamp,
    endedAt: hasEnded(state) ? (sent.lastUpdateTimestamp ?? sent.lastTradeTimestamp ?? sent.timestamp) : undefined,
    reason: state === 'rejected' ? `${definition.name} rejected the order` : undefined,
  }
}

function stateOf(status: string, filledQuantity: Decimal): OrderState {
  const state = STATES[status] ?? 'accepted'
  return state === 'accepted' && filledQuantity.isPositive ? 'partially_filled' : state
}

export const toFill = (trade: schema.Trade, clientOrderId: string, definition: ExchangeDefinition): Fill => ({
  executionId: idIn(definition, trade.symbol, trade.id),
  orderId: idIn(definition, trade.symbol, trade.order),
  clientOrderId,
  ticker: tickerOfSymbol(trade.symbol),
  side: trade.side,
  quantity: trade.amount,
  price: trade.price,
  fee: trade.fee?.currency === definition.quote ? (trade.fee.cost ?? Decimal.zero) : Decimal.zero,
  at: trade.timestamp,
})

export const toTradeActivity = (trade: schema.Trade, definition: ExchangeDefinition): TradeActivity => ({
  kind: 'trade',
  id: idIn(definition, trade.symbol, trade.id),
  at: trade.timestamp,
  ticker: tickerOfSymbol(trade.symbol),
  side: trade.side,
  quantity: trade.amount,
  price: trade.price,
  orderId: idIn(definition, trade.symbol, trade.order),
})

/** A fee in coins, which an execution cannot carry: taken from the coin that was bought, or from another one. */
export function toCoinFee(trade: schema.Trade, definition: ExchangeDefinition): CashActivity | undefined {
  const { cost, currency } = trade.fee ?? {}
  if (!cost?.isPositive || currency === undefined || currency === definition.quote) return undefined
  const isOfThisCoin = trade.symbol.startsWith(`${currency}/`)
  return {
    kind: 'cash',
    id: `fee:${idIn(definition, trade.symbol, trade.id)}`,
    at: trade.timestamp,
    day: epochDayOf(trade.timestamp),
    bookedAt: trade.timestamp,
    type: 'CFEE',
    netAmount: isOfThisCoin ? cost.times(trade.price).negated() : Decimal.zero,
    description: `Fee of trading ${tickerOfSymbol(trade.symbol)}, taken in ${currency}`,
    ticker: tickerOfCoin(currency),
    quantity: cost.negated(),
  }
}

/** Undefined for what has not arrived, or failed. */
export function toFlow(flow: schema.Flow, { name, quote }: ExchangeDefinition): CashActivity | undefined {
  if (flow.status !== undefined && flow.status !== 'ok') return undefined
  const isIn = flow.type === 'deposit'
  const amount = isIn ? flow.amount : flow.amount.negated()
  const isMoney = flow.currency === quote
  return {
    kind: 'cash',
    id: `${flow.type}:${flow.id}`,
    at: flow.timestamp,
    day: epochDayOf(flow.timestamp),
    bookedAt: flow.timestamp,
    type: isMoney ? (isIn ? 'CSD' : 'CSW') : 'ACATS',
    netAmount: isMoney ? amount : Decimal.zero,
    description: `${flow.currency} ${isIn ? 'sent to' : 'withdrawn from'} ${name}`,
    ticker: isMoney ? undefined : tickerOfCoin(flow.currency),
    ...(!isMoney && { quantity: amount }),
  }
}

/** The exchange does not say what a coin was bought for, so that is what it is worth. */
export const toPosition = (coin: string, quantity: Decimal, price: Decimal): Position => ({
  ticker: tickerOfCoin(coin),
  quantity,
  averageEntryPrice: price,
  price,
  marketValue: quantity.times(price),
})

export function toAccount(balance: schema.Balance, positions: readonly Position[], definition: ExchangeDefinition) {
  const { quote, purchaseFee } = definition
  const cash = balance.total[quote] ?? Decimal.zero
  const { id, blockedBecause } = definition.accountFacts(balance.info)
  const account: BrokerAccount = {
    id: id ?? '',
    currency: 'USD',
    cash,
    equity: positions.reduce((sum, { marketValue }) => sum.plus(marketValue), cash),
    lastEquity: undefined,
    buyingPower: balance.free[quote] ?? Decimal.zero,
    openedAt: undefined,
    leverageLimit: 1,
    ...(purchaseFee > 0 && { costRate: purchaseFee }),
    isShortingAllowed: false,
    blockedBecause,
  }
  return account
}

export const toAsset = (market: schema.Market): TradableAsset => ({
  ticker: tickerOfCoin(market.base),
  isTradable: market.active !== false,
  isFractionable: true,
  isMarginable: false,
  isShortable: false,
  ...(market.limits.cost?.min && { minPurchase: market.limits.cost.min, minSale: market.limits.cost.min }),
  ...(market.limits.amount?.min && { minQuantity: market.limits.amount.min }),
  ...(market.precision.amount && { quantityStep: market.precision.amount }),
})
