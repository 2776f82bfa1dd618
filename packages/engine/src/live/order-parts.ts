import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { isAuction, type OrderExecution } from '@tradewright/core/order-types'
import { MINUTE, type UtcMillis } from '@tradewright/core/time'
import type { TradableAsset } from '../trading/broker.ts'
import type { PriceOf, Slice } from '../trading/ledger/books.ts'
import { PRICE_RESERVE } from './order-plan.ts'
import type { Sending, SizedOrder } from './sized-order.ts'
import { floorCents, inSteps, isPurchaseTooSmall, isSaleTooSmall } from './order-size.ts'

interface PartsInput {
  readonly execution: OrderExecution
  readonly slice: Slice
  readonly priceOf: PriceOf
  readonly assetOf: (ticker: string) => TradableAsset | undefined
  /** When sending begins, and when it has to be over. */
  readonly from: UtcMillis
  readonly until: UtcMillis
}

interface Parts {
  readonly orders: readonly SizedOrder[]
  /** What the order type leaves out: no reason to try again. */
  readonly notes: readonly Note<'whole-shares'>[]
}

/** Planned orders as they are sent by the deployment's order type: in slices, for an auction, with a limit. */
export function partsOf(orders: readonly SizedOrder[], input: PartsInput): Parts {
  const { execution } = input
  if (execution.type === 'market') return { orders, notes: [] }
  // What goes on beyond zero follows an order of its own, at once.
  if (execution.type === 'slices')
    return { orders: orders.flatMap((order) => (order.sending ? [order] : slicesOf(order, input))), notes: [] }
  const notes: Note<'whole-shares'>[] = []
  const parts = orders.flatMap((order) => {
    if (order.sending) return [order]
    const made = isFractional(order, input) ? [{ ...order, sending: sendingOf(input) }] : wholeShares(order, input)
    if (made.length === 0) notes.push(lessThanAShare(order))
    return made
  })
  return { orders: parts, notes }
}

const lessThanAShare = ({ side, ticker }: SizedOrder): Note<'whole-shares'> => ({
  code: 'whole-shares',
  level: 'info',
  sentence: `The order to ${side} ${ticker} would be of less than one share, and this order type trades whole shares.`,
})

const isFractional = ({ ticker, isShort }: SizedOrder, { execution, assetOf }: PartsInput): boolean =>
  !isShort && !isAuction(execution.type) && (assetOf(ticker)?.hasFractionalLimits ?? false)

const sendingOf = ({ execution, from }: PartsInput): Sending => ({
  type: execution.type as Sending['type'],
  part: 1,
  at: from,
})

const WHOLE = { isTradable: true, isFractionable: false, isMarginable: false, isShortable: false, ticker: '' }

/** The fraction of a share that a position is left with when it is given up is sold at the market. */
function wholeShares(order: SizedOrder, input: PartsInput): SizedOrder[] {
  const { ticker, side, size } = order
  const price = input.priceOf(ticker)
  if (!price?.isPositive) return []
  const sending = sendingOf(input)
  if ('notional' in size) {
    const reserved = price.times(Decimal.fromNumber(PRICE_RESERVE))
    const shares = inSteps(size.notional.dividedBy(reserved), WHOLE)
    if (!shares.isPositive) return []
    // The shares of a limit order follow from its price, which is known when it is sent.
    return isAuction(input.execution.type)
      ? [{ ...order, size: { quantity: shares }, estimatedValue: shares.times(price), sending }]
      : [{ ...order, sending }]
  }
  const whole = inSteps(size.quantity, WHOLE)
  const rest = size.quantity.minus(whole)
  const isExit = side === 'sell' && input.slice.positions.get(ticker)?.equals(size.quantity)
  const part = (quantity: Decimal, how: Sending): SizedOrder => ({
    ...order,
    size: { quantity },
    estimatedValue: quantity.times(price),
    sending: how,
  })
  return [
    ...(whole.isPositive ? [part(whole, sending)] : []),
    ...(isExit && rest.isPositive ? [part(rest, { type: 'market', part: 2 })] : []),
  ]
}

/** As many equal parts as the broker's minimum allows, the last one with what rounding left; spread over the time there is. */
function slicesOf(order: SizedOrder, { execution, priceOf, assetOf, from, until }: PartsInput): SizedOrder[] {
  const { ticker, size, estimatedValue } = order
  const known = assetOf(ticker)
  const asset = known && order.isShort ? { ...known, isFractionable: false } : known
  const price = priceOf(ticker)
  if (!asset || !price?.isPositive) return [order]
  const span = Math.max(0, Math.min(execution.sliceMinutes * MINUTE, (until - from) * 0.9))
  for (let count = execution.slices; count > 1; count--) {
    const share = Decimal.fromNumber(count)
    const part =
      'notional' in size ? floorCents(size.notional.dividedBy(share)) : inSteps(size.quantity.dividedBy(share), asset)
    const isTooSmall =
      'notional' in size ? isPurchaseTooSmall(asset, part, price) : isSaleTooSmall(asset, part, price, false)
    if (isTooSmall) continue
    const total = 'notional' in size ? size.notional : size.quantity
    return Array.from({ length: count }, (_, i) => {
      const own = i < count - 1 ? part : total.minus(part.times(Decimal.fromNumber(count - 1)))
      return {
        ...order,
        size: 'notional' in size ? { notional: own } : { quantity: own },
        estimatedValue: estimatedValue.times(own).dividedBy(total),
        sending: { type: 'market', part: i + 1, at: from + Math.round((span / count) * i) },
      }
    })
  }
  return [order]
}
