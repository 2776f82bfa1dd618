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

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
}

/**
 * Books executions that the broker has not listed for minutes from their orders, which have ended and say how much was
 * filled and at which price: where the positions differ by exactly that, and nothing else explains it. Answers what was
 * booked, as sentences.
 */
export async function bookUnlistedFills(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  circumstances: Circumstances,
): Promise<string[]> {
  const missing = await missingFills(stores, accountId, snapshot, circumstances)
  const { positions } = compareWithBroker(await stores.books.books(accountId), sliceAtBroker(snapshot))
  const told: string[] = []
  for (const { ticker, broker, books: booked } of positions) {
    const own = missing.filter((one) => one.fill.ticker === ticker)
    const explained = own.reduce((sum, { fill }) => sum.plus(signed(fill)), Decimal.zero)
    if (own.length === 0 || !explained.equals(broker.minus(booked))) continue
    told.push(...(await bookFromOrders(stores, accountId, own, circumstances)))
  }
  return told
}

/**
 * The same for all orders that have ended, whatever the positions say: when the user accepts the broker's figures, what
 * orders were filled with is booked as that, and only the rest is a correction.
 */
export async function bookEndedOrders(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  circumstances: Circumstances,
): Promise<string[]> {
  const missing = await missingFills(stores, accountId, snapshot, circumstances)
  return bookFromOrders(stores, accountId, missing, circumstances)
}

async function bookFromOrders(
  { books, orders, messages }: LiveStores,
  accountId: number,
  missing: readonly MissingFill[],
  { prices, at }: Circumstances,
): Promise<string[]> {
  const told: string[] = []
  for (const { intent, fill } of missing) {
    await books.post(accountId, fillEntries(fill, intent.deploymentId), prices)
    await orders.bookFromOrder(intent.clientOrderId, at)
    await messages.putEvent(intent.deploymentId, filledEvent(fill))
    const what = `${String(fill.quantity)} ${fill.ticker} ${fill.side === 'buy' ? 'bought' : 'sold'}`
    told.push(`The broker does not list an execution: ${what} at ${usdPerShare(fill.price)}, booked from the order.`)
  }
  return told
}

async function missingFills(
  { orders }: Pick<LiveStores, 'orders'>,
  accountId: number,
  { fills }: BrokerSnapshot,
  { at }: Circumstances,
): Promise<MissingFill[]> {
  const ended = (await orders.unsettled(accountId)).filter((intent) => !isOpen(intent))
  return ended.flatMap((intent) => missingFill(intent, fills, at))
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
  const value = bookedValue(intent, fills)
  const price = value ? restPrice(averagePrice, filledQuantity, { quantity, value }) : averagePrice
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

/**
 * What the booked executions were worth. Orders of earlier versions did not count it: theirs is that of the listed executions
 * where all are listed, and unknown where some are of days ago, which are not read again.
 */
function bookedValue(intent: OrderIntent, fills: readonly Fill[]): Decimal | undefined {
  if (intent.bookedValue) return intent.bookedValue
  const own = standingFills(fills.filter((fill) => fill.clientOrderId === intent.clientOrderId))
  const listed = own.reduce((sum, fill) => sum.plus(fill.quantity), Decimal.zero)
  return listed.equals(intent.bookedQuantity)
    ? own.reduce((sum, fill) => sum.plus(fill.quantity.times(fill.price)), Decimal.zero)
    : undefined
}

const CENTS = 2
const MAX_PLACES = 9

/**
 * The average price of the rest. A broker rounds the average of the whole, so that of the rest is known only so well: of the
 * prices that fit, the one with the fewest decimal places.
 */
function restPrice(
  average: Decimal,
  filled: Decimal,
  { quantity, value: booked }: { readonly quantity: Decimal; readonly value: Decimal },
): Decimal {
  const price = average.times(filled).minus(booked).dividedBy(quantity)
  const places = String(average).split('.')[1]?.length ?? 0
  if (places <= CENTS) return price
  const unknown = Decimal.parse(`0.${'1'.padStart(places, '0')}`).times(filled)
  for (let to = CENTS; to < MAX_PLACES; to++) {
    const rounded = price.rounded(to)
    const apart = rounded.minus(price).absolute().times(quantity)
    if (!unknown.isBelow(apart.plus(apart))) return rounded
  }
  return price
}
