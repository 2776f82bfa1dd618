import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import type { Fill } from '../broker.ts'
import { feeOf, paidPrice, type TradingCosts } from '../costs.ts'
import { hasEnded, type Order } from '../order.ts'
import { withOrder } from './accept.ts'
import { afterTrade, type BrokerState, equityOf, type Quote } from './state.ts'

export interface FillRules {
  readonly costs: TradingCosts
  /** How many times its equity the account may hold. */
  readonly leverageLimit: number
  /** The same for longs and shorts together, where no money is borrowed for them; absent where shorts have no limit of their own. */
  readonly shortLimit?: number
  /** At most this share of an order is filled at a time; 1 fills it whole. */
  readonly partialFill?: number
  /** Parts of an order are whole shares, at least one. */
  readonly wholeShares?: boolean
  /** In dollars, with the first execution of an order. */
  readonly feePerOrder?: number
  /** Half the spread of a ticker, as a share of its price, by which a purchase pays more and a sale gets less; absent: none. */
  readonly halfSpread?: (ticker: string) => number
  /** How many shares of a ticker orders that were sent at an instant may have been filled by now; undefined: no bound. */
  readonly mostSince?: (ticker: string, since: UtcMillis) => Decimal | undefined
  /** Orders that may be filled at this moment; all of them where it is absent. */
  readonly isInTurn?: (order: Order) => boolean
}

/** A whole order of less than this is not worth splitting. */
const SMALLEST_PART = Decimal.parse('0.000001')

/** Fills every open order that the quotes allow, sales first: they pay for the purchases. */
export function fillOrders(state: BrokerState, quote: Quote, rules: FillRules, at: UtcMillis): BrokerState {
  const { isInTurn = () => true } = rules
  const open = [...state.orders.values()].filter((order) => !hasEnded(order.state) && isInTurn(order))
  const inTurn = [...open.filter(({ side }) => side === 'sell'), ...open.filter(({ side }) => side === 'buy')]
  return inTurn.reduce((now, order) => fillOrder(now, order, quote, rules, at), state)
}

function fillOrder(state: BrokerState, order: Order, quote: Quote, rules: FillRules, at: UtcMillis): BrokerState {
  const middle = quote(order.ticker)
  const quoted = middle && offered(order, middle, rules)
  if (!quoted || !isReached(order, quoted)) return state
  const wanted = remainingQuantity(order, quoted)
  if (wanted.isZero) return withOrder(state, { ...order, state: 'filled', endedAt: at })
  const quantity = withinVolume(partOf(wanted, rules), order, rules)
  if (!quantity.isPositive) return state
  const fill = execute(state, order, quantity, quoted, rules, at)
  if (!isAffordable(state, fill, quote, rules)) {
    return withOrder(state, { ...order, state: 'rejected', endedAt: at, reason: 'insufficient buying power' })
  }
  return withOrder(bookFill(state, fill), afterFill(order, fill, quoted, at))
}

/** A purchase is offered the ask, a sale the bid. */
function offered({ side, ticker }: Order, middle: Usd, { halfSpread }: FillRules): Usd {
  const half = halfSpread?.(ticker) ?? 0
  return half === 0 ? middle : middle.times(Decimal.fromNumber(side === 'buy' ? 1 + half : 1 - half))
}

/** No order gets more than its part of what has changed hands since it was sent; one of whole shares gets whole ones. */
function withinVolume(
  quantity: Decimal,
  { ticker, size, submittedAt, filledQuantity }: Order,
  { mostSince }: FillRules,
): Decimal {
  const left = mostSince?.(ticker, submittedAt)?.minus(filledQuantity)
  if (!left?.isBelow(quantity)) return quantity
  const isWhole = 'quantity' in size && Number.isInteger(size.quantity.toNumber())
  return isWhole ? Decimal.fromNumber(Math.floor(left.toNumber())) : left
}

function isReached({ execution, side }: Order, quoted: Usd): boolean {
  if (execution.type === 'market') return true
  return side === 'buy' ? !execution.limitPrice.isBelow(quoted) : !quoted.isBelow(execution.limitPrice)
}

/** However much worse than the quote a fill is, it keeps to the limit. */
function withinLimit({ execution, side }: Order, price: Usd): Usd {
  if (execution.type === 'market') return price
  const isBeyond = side === 'buy' ? execution.limitPrice.isBelow(price) : price.isBelow(execution.limitPrice)
  return isBeyond ? execution.limitPrice : price
}

/** Dollars become shares at the price they are traded at. */
const remainingQuantity = ({ size, filledQuantity }: Order, quoted: Usd): Decimal =>
  ('quantity' in size ? size.quantity : size.notional.dividedBy(quoted)).minus(filledQuantity)

function partOf(quantity: Decimal, { partialFill = 1, wholeShares = false }: FillRules): Decimal {
  if (partialFill >= 1 || quantity.isBelow(SMALLEST_PART)) return quantity
  const part = quantity.times(Decimal.fromNumber(partialFill))
  if (!wholeShares) return part
  // What is left of a split may be less than a share.
  return Decimal.fromNumber(Math.min(quantity.toNumber(), Math.max(1, Math.floor(part.toNumber()))))
}

function execute(
  state: BrokerState,
  order: Order,
  quantity: Decimal,
  quoted: Usd,
  { costs, feePerOrder = 0 }: FillRules,
  at: UtcMillis,
): Fill {
  const signed = (order.side === 'buy' ? quantity : quantity.negated()).toNumber()
  const price = withinLimit(order, Decimal.fromNumber(paidPrice(costs, signed, quoted.toNumber())))
  return {
    executionId: `${state.issued.prefix}-fill-${state.issued.fills + 1}`,
    orderId: order.id,
    clientOrderId: order.clientOrderId,
    ticker: order.ticker,
    side: order.side,
    quantity,
    price,
    fee: Decimal.fromNumber(feeOf(costs, signed, price.toNumber()) + (order.filledQuantity.isZero ? feePerOrder : 0)),
    at,
  }
}

/** An order that reduces a position is always allowed; one that grows it must stay within the leverage limit. */
function isAffordable(
  state: BrokerState,
  fill: Fill,
  quote: Quote,
  { leverageLimit, shortLimit = 0 }: FillRules,
): boolean {
  const before = state.positions.get(fill.ticker)?.quantity ?? Decimal.zero
  const booked = bookFill(state, fill)
  const after = booked.positions.get(fill.ticker)?.quantity ?? Decimal.zero
  if (!before.absolute().isBelow(after.absolute())) return true
  // A hundredth of a percent of tolerance: an order for everything is sized before its own costs are known exactly.
  const equity = equityOf(booked, quote)
  const allows = (limit: number) => !equity.times(Decimal.fromNumber(limit * 1.0001)).isBelow(exposureOf(booked, quote))
  const owed = equity.times(Decimal.fromNumber(-0.0001))
  return allows(leverageLimit) || (allows(shortLimit) && !booked.cash.isBelow(owed))
}

/** Longs and shorts, counted alike. */
export const exposureOf = ({ positions }: Pick<BrokerState, 'positions'>, quote: Quote): Usd =>
  [...positions].reduce(
    (sum, [ticker, { quantity, averageEntryPrice }]) =>
      sum.plus(quantity.absolute().times(quote(ticker) ?? averageEntryPrice)),
    Decimal.zero,
  )

/** Cash and positions after an execution. */
function bookFill(state: BrokerState, fill: Fill): BrokerState {
  const quantity = fill.side === 'buy' ? fill.quantity : fill.quantity.negated()
  const positions = new Map(state.positions)
  const held = afterTrade(positions.get(fill.ticker), quantity, fill.price)
  if (held) positions.set(fill.ticker, held)
  else positions.delete(fill.ticker)
  return {
    ...state,
    cash: state.cash.minus(quantity.times(fill.price)).minus(fill.fee),
    positions,
    fills: [...state.fills, fill],
    issued: { ...state.issued, fills: state.issued.fills + 1 },
  }
}

function afterFill(order: Order, fill: Fill, quoted: Usd, at: UtcMillis): Order {
  const filledQuantity = order.filledQuantity.plus(fill.quantity)
  const paidBefore = order.filledQuantity.times(order.averageFillPrice ?? Decimal.zero)
  const isFilled = !remainingQuantity({ ...order, filledQuantity }, quoted).isPositive
  return {
    ...order,
    filledQuantity,
    averageFillPrice: paidBefore.plus(fill.quantity.times(fill.price)).dividedBy(filledQuantity),
    state: isFilled ? 'filled' : 'partially_filled',
    endedAt: isFilled ? at : undefined,
  }
}

/** `day` orders expire when the session ends, `opg`, `cls`, `ioc` and `fok` with the first chance they had; but for those that are kept. */
export function expireOrders(
  state: BrokerState,
  at: UtcMillis,
  isKept: (order: Order) => boolean = () => false,
): BrokerState {
  return [...state.orders.values()]
    .filter((order) => !hasEnded(order.state) && order.timeInForce !== 'gtc' && !isKept(order))
    .reduce((now, order) => withOrder(now, { ...order, state: 'expired', endedAt: at }), state)
}
