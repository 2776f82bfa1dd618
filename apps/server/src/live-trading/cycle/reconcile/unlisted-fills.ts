import { Decimal } from '@tradewright/core/decimal'
import { usdPerShare } from '@tradewright/core/money'
import type { Fill } from '@tradewright/engine/trading/broker'
import { standingFills } from '@tradewright/engine/trading/fill-versions'
import { fillEntries } from '@tradewright/engine/trading/ledger/broker-entries'
import { compareWithBroker } from '@tradewright/engine/trading/ledger/compare'
import { isOpen, type OrderIntent } from '../../decision.ts'
import type { LiveStores } from '../../ports/database.ts'
import { filledEvent } from './book-fills.ts'
import { type BrokerSnapshot, sliceAtBroker } from './broker-snapshot.ts'

/**
 * Books executions that the broker has not listed for minutes from their orders, which have ended and say how much was
 * filled and at which price: where the positions differ by exactly that, and nothing else explains it. Answers what was
 * booked, as sentences.
 */
export async function bookUnlistedFills(
  { books, orders, messages }: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  prices: ReadonlyMap<string, Decimal>,
  at: Date,
): Promise<string[]> {
  const ended = (await orders.unsettled(accountId)).filter((intent) => !isOpen(intent))
  const missing = ended.flatMap((intent) => missingFill(intent, snapshot.fills, at))
  const { positions } = compareWithBroker(await books.books(accountId), sliceAtBroker(snapshot))
  const told: string[] = []
  for (const { ticker, broker, books: booked } of positions) {
    const own = missing.filter((one) => one.fill.ticker === ticker)
    const explained = own.reduce((sum, { fill }) => sum.plus(signed(fill)), Decimal.zero)
    if (own.length === 0 || !explained.equals(broker.minus(booked))) continue
    for (const { intent, fill } of own) {
      await books.post(accountId, fillEntries(fill, intent.deploymentId), prices)
      await orders.bookFromOrder(intent.clientOrderId, at)
      await messages.putEvent(intent.deploymentId, filledEvent(fill))
      const what = `${String(fill.quantity)} ${ticker} ${fill.side === 'buy' ? 'bought' : 'sold'}`
      told.push(`The broker does not list an execution: ${what} at ${usdPerShare(fill.price)}, booked from the order.`)
    }
  }
  return told
}

const signed = ({ side, quantity }: Fill): Decimal => (side === 'buy' ? quantity : quantity.negated())

interface MissingFill {
  readonly intent: OrderIntent
  readonly fill: Fill
}

/** What the order was filled with, without the executions that are listed. */
function missingFill(intent: OrderIntent, fills: readonly Fill[], at: Date): MissingFill[] {
  const { clientOrderId, ticker, side, filledQuantity, bookedQuantity, averagePrice, brokerOrderId } = intent
  const quantity = filledQuantity.minus(bookedQuantity)
  if (!quantity.isPositive || !averagePrice || brokerOrderId === null) return []
  const own = standingFills(fills.filter((fill) => fill.clientOrderId === clientOrderId))
  const listed = own.reduce((sum, fill) => sum.plus(fill.quantity.times(fill.price)), Decimal.zero)
  const price = averagePrice.times(filledQuantity).minus(listed).dividedBy(quantity)
  const fill: Fill = {
    executionId: `order:${clientOrderId}`,
    orderId: brokerOrderId,
    clientOrderId,
    ticker,
    side,
    quantity,
    price: price.isPositive ? price : averagePrice,
    fee: Decimal.zero,
    at: at.getTime(),
  }
  return [{ intent, fill }]
}
