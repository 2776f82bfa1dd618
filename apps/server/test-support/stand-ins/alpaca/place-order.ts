import type { Decimal } from '@tradewright/core/decimal'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { isAuctionOrderTaken } from '@tradewright/engine/trading/auctions'
import type { StandInAnswer } from '../stand-in.ts'
import { type AlpacaAccountState, decimal, isCoin, isOpen } from './account-state.ts'
import { failure, orderBody } from './answers.ts'

interface OrderBody {
  client_order_id: string
  symbol: string
  side: 'buy' | 'sell'
  type: string
  time_in_force: string
  qty?: string
  notional?: string
  limit_price?: string
}

const MIN_COIN_PURCHASE = decimal(10)

/** Takes an order as Alpaca does, or refuses it in Alpaca's words. */
export function placeOrder(account: AlpacaAccountState, symbols: ReadonlySet<string>, text: string): StandInAnswer {
  const body = JSON.parse(text) as OrderBody
  const refusal = account.refuseNext ?? refusalOf(account, symbols, body)
  account.refuseNext = undefined
  if (refusal) return refusal
  const order = account.add({
    clientOrderId: body.client_order_id,
    symbol: body.symbol,
    side: body.side,
    qty: body.qty === undefined ? undefined : decimal(body.qty),
    notional: body.notional === undefined ? undefined : decimal(body.notional),
    type: body.type,
    timeInForce: body.time_in_force,
    limitPrice: body.limit_price === undefined ? undefined : decimal(body.limit_price),
  })
  return { body: orderBody(order) }
}

function refusalOf(
  account: AlpacaAccountState,
  symbols: ReadonlySet<string>,
  body: OrderBody,
): StandInAnswer | undefined {
  const { symbol, side, qty, notional } = body
  if (account.orders.some((one) => one.clientOrderId === body.client_order_id))
    return failure(422, 'client_order_id must be unique', 40010001)
  if (!symbols.has(symbol)) return failure(422, `asset "${symbol}" is not active`, 40010001)
  if (account.untradable.has(symbol)) return failure(422, `asset "${symbol}" is not tradable`, 42210000)
  if ((qty === undefined) === (notional === undefined)) return failure(422, 'qty or notional is required', 40010001)
  if (isCoin(symbol) && body.time_in_force !== 'gtc' && body.time_in_force !== 'ioc')
    return failure(422, 'invalid crypto time_in_force', 42210000)
  const isFraction = notional !== undefined || !Number.isInteger(Number(qty))
  if (!isCoin(symbol) && isFraction && body.time_in_force !== 'day')
    return failure(422, 'fractional orders must be day orders', 42210000)
  if (body.type === 'limit' && !isCoin(symbol) && !/^\d+(\.\d{1,2})?$/.test(body.limit_price ?? ''))
    return failure(
      422,
      `invalid limit_price ${body.limit_price}. sub-penny increment does not fulfill minimum pricing criteria`,
      42210000,
    )
  if (
    (body.time_in_force === 'opg' || body.time_in_force === 'cls') &&
    !isAuctionOrderTaken(body.time_in_force, account.now, nyse)
  )
    return failure(422, `${body.time_in_force} orders are not accepted at this time`, 42210000)
  if (account.tradingBlocked) return failure(403, 'new orders are rejected by user request', 40310000)
  const price = account.prices.get(symbol)
  const cost = notional === undefined ? price && decimal(qty!).times(price) : decimal(notional)
  const held = account.positions.get(symbol)?.qty ?? decimal(0)
  if (side === 'buy' && !held.isNegative && cost && account.buyingPower.isBelow(cost)) {
    const amounts = { buying_power: String(account.buyingPower), cost_basis: String(cost) }
    return failure(403, 'insufficient buying power', 40310000, amounts)
  }
  if (side === 'buy' && symbol.endsWith('/USD') && cost?.isBelow(MIN_COIN_PURCHASE))
    return failure(403, 'cost basis must be >= minimal amount of order 10', 40310000)
  if (side === 'buy' && isCoin(symbol) && cost && account.nonMarginableBuyingPower.isBelow(cost))
    return failure(403, 'insufficient balance for USD', 40310000)
  if (account.orders.some((one) => one.symbol === symbol && one.side !== side && isOpen(one))) {
    const more = { reject_reason: 'opposite side market/stop order exists' }
    return failure(403, 'potential wash trade detected. use complex orders', 40310000, more)
  }
  return refusalOfShort(account, body, held, cost)
}

/** No order goes from a long position to a short one or back, and borrowed shares are whole ones that are easy to borrow. */
function refusalOfShort(
  account: AlpacaAccountState,
  { symbol, side, qty, notional }: OrderBody,
  held: Decimal,
  cost: Decimal | undefined,
): StandInAnswer | undefined {
  const isShort = held.isNegative
  if (side === 'buy' && !isShort) return undefined
  const owned = side === 'sell' ? held : held.negated()
  if (owned.isPositive && (qty === undefined ? side === 'sell' : !owned.isBelow(decimal(qty)))) return undefined
  if (owned.isPositive || !account.isShortingEnabled || isCoin(symbol)) {
    const message = `insufficient qty available for order (requested: ${qty ?? notional}, available: ${String(owned)})`
    return failure(403, message, 40310000)
  }
  if (qty === undefined || !Number.isInteger(Number(qty)))
    return failure(422, 'fractional orders cannot be sold short', 42210000)
  if (account.hardToBorrow.has(symbol)) return failure(422, `asset "${symbol}" cannot be sold short`, 42210000)
  const checked = cost?.times(decimal('1.03'))
  if (checked && account.buyingPower.isBelow(checked)) {
    const amounts = { buying_power: String(account.buyingPower), cost_basis: String(checked) }
    return failure(403, 'insufficient buying power', 40310000, amounts)
  }
  return undefined
}
