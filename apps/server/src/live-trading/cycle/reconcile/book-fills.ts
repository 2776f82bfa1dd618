import { Decimal } from '@tradewright/core/decimal'
import { usd, usdPerShare } from '@tradewright/core/money'
import type { Fill } from '@tradewright/engine/trading/broker'
import { type FillVersions, fillVersions } from '@tradewright/engine/trading/fill-versions'
import { fillEntries } from '@tradewright/engine/trading/ledger/broker-entries'
import { compareWithBroker } from '@tradewright/engine/trading/ledger/compare'
import { type Entry, USD } from '@tradewright/engine/trading/ledger/entry'
import { reversalOf, standing } from '@tradewright/engine/trading/ledger/reversals'
import type { OutgoingEvent } from '../../../alerts/outgoing-events.ts'
import type { OrderIntent } from '../../decision.ts'
import type { LiveStores } from '../../ports/database.ts'
import type { AccountNews } from './book-actions.ts'
import { type BrokerSnapshot, sliceAtBroker } from './broker-snapshot.ts'

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
}

type Listed = Pick<BrokerSnapshot, 'fills' | 'account' | 'positions'>

interface BookedFills {
  /** Orders that were given up and have executions all the same. */
  readonly late: readonly OrderIntent[]
  readonly news: readonly AccountNews[]
}

/** Books executions, each once. What takes the place of one that is booked already is booked with its reversal. */
export async function bookFills(
  stores: LiveStores,
  accountId: number,
  snapshot: Listed,
  circumstances: Circumstances,
): Promise<BookedFills> {
  const { books, orders } = stores
  const versions = fillVersions(snapshot.fills)
  const isChanged = ({ ids, current }: FillVersions) => ids.length > 1 || current.state !== undefined
  const before = await books.seen(
    accountId,
    versions.filter(isChanged).flatMap(({ ids }) => ids.map((id) => `fill:${id}`)),
  )
  const fresh = await books.see(
    accountId,
    versions.map(({ current }) => ({ key: versionKey(current), at: new Date(current.at) })),
  )
  const news = versions.filter(({ current }) => fresh.has(versionKey(current)))
  const ids = [...new Set(news.map(({ current }) => current.clientOrderId))]
  const intents = new Map((await orders.byClientIds(accountId, ids)).map((intent) => [intent.clientOrderId, intent]))
  const told: AccountNews[] = []
  for (const version of news) {
    const { current } = version
    const intent = intents.get(current.clientOrderId)
    const wasSeen = version.ids.some((id) => before.has(`fill:${id}`))
    if (isChanged(version))
      told.push(...(await bookChange(stores, accountId, snapshot, { version, intent, wasSeen }, circumstances)))
    else told.push(...(await bookNew(stores, accountId, current, intent, circumstances)))
  }
  return { late: [...intents.values()].filter(({ state }) => state === 'abandoned'), news: told }
}

/** A correction in place has the id of what it corrects. */
const versionKey = ({ executionId, state, quantity, price }: Fill): string =>
  `fill:${executionId}${state === undefined ? '' : `:${state}:${String(quantity)}:${String(price)}`}`

async function bookNew(
  { books, orders, messages }: LiveStores,
  accountId: number,
  fill: Fill,
  intent: OrderIntent | undefined,
  { prices, at }: Circumstances,
): Promise<AccountNews[]> {
  if (intent?.isBookedFromOrder) return []
  await books.post(accountId, entriesOf(fill, intent?.deploymentId), prices)
  if (!intent) return [{ message: `${traded(fill)} in this account outside of the deployments.` }]
  const { quantity, price } = fill
  await orders.addBooked(intent.clientOrderId, { quantity, value: quantity.times(price) }, at)
  await messages.putEvent(intent.deploymentId, filledEvent(fill))
  return []
}

export const filledEvent = (fill: Fill): OutgoingEvent => ({
  event: 'order.filled',
  key: `order.filled:${fill.clientOrderId}:${versionKey(fill)}`,
  subject: 'order filled',
  text: `${traded(fill)}.`,
  data: {
    execution_id: fill.executionId,
    order_id: fill.clientOrderId,
    ticker: fill.ticker,
    side: fill.side,
    quantity: String(fill.quantity),
    price: String(fill.price),
  },
})

interface Change {
  readonly version: FillVersions
  readonly intent: OrderIntent | undefined
  /** An earlier version of it was listed before. */
  readonly wasSeen: boolean
}

async function bookChange(
  stores: LiveStores,
  accountId: number,
  snapshot: Listed,
  { version: { current, ids }, intent, wasSeen }: Change,
  circumstances: Circumstances,
): Promise<AccountNews[]> {
  const { books, orders } = stores
  const { prices, at } = circumstances
  await books.see(
    accountId,
    ids.map((id) => ({ key: `fill:${id}`, at })),
  )
  const isCanceled = current.state === 'canceled'
  const booked = await entriesBooked(books, accountId, ids)
  if (booked.standing.length === 0 && intent?.isBookedFromOrder) {
    return isCanceled
      ? reverseFromOrder(stores, accountId, current, intent, circumstances)
      : correctFromOrder(stores, accountId, snapshot, intent, circumstances)
  }
  if (booked.standing.length === 0) {
    // Listed when the books were opened, it is in their first figures; or it was booked from its order.
    if (isCanceled || (wasSeen && booked.all.length === 0)) return []
    return bookNew(stores, accountId, current, intent, circumstances)
  }
  const { deploymentId, reversals } = await reversed(stores, booked.standing, at)
  const instead = isCanceled ? [] : entriesOf({ ...current, at: at.getTime() }, deploymentId)
  await books.post(accountId, [...reversals, ...instead], prices)
  const earlier = tradeOf(booked.standing)
  if (intent) {
    const [quantity, value] = isCanceled
      ? [Decimal.zero, Decimal.zero]
      : [current.quantity, current.quantity.times(current.price)]
    const change = { quantity: quantity.minus(earlier.quantity), value: value.minus(earlier.value) }
    await orders.correct(intent.clientOrderId, change, at)
  }
  return [{ deploymentId, message: sentenceOf(earlier, isCanceled ? undefined : current) }]
}

/** What takes these entries back, for the deployment that traded, or for the account where that was deleted. */
async function reversed({ deployments }: LiveStores, entries: readonly Entry[], at: Date) {
  const owner = entries[0]!.deploymentId
  const isOwned = owner !== undefined && (await deployments.byId(owner)) !== undefined
  const reversals = entries.map((entry) => reversalOf(entry, at.getTime()))
  return { deploymentId: isOwned ? owner : undefined, reversals: isOwned ? reversals : reversals.map(ofTheAccount) }
}

/**
 * An execution that was booked from its order before the broker listed it. That entry may be of several executions: the
 * others are booked anew.
 */
async function reverseFromOrder(
  stores: LiveStores,
  accountId: number,
  canceled: Fill,
  { clientOrderId }: OrderIntent,
  { prices, at }: Circumstances,
): Promise<AccountNews[]> {
  const { books, orders } = stores
  const { id, booked, earlier } = await bookedFromOrder(books, accountId, clientOrderId)
  // More than was booked: a difference that the user is asked about.
  if (!earlier || earlier.quantity.isBelow(canceled.quantity)) return []
  const left = earlier.quantity.minus(canceled.quantity)
  const value = left.isZero ? earlier.value : canceled.quantity.times(canceled.price)
  const { deploymentId, reversals } = await reversed(stores, booked, at)
  const others: Fill = {
    ...canceled,
    executionId: `${id}:without:${canceled.executionId}`,
    quantity: left,
    price: left.isZero ? canceled.price : earlier.value.minus(value).dividedBy(left),
    fee: Decimal.zero,
    at: at.getTime(),
  }
  await books.post(accountId, [...reversals, ...(left.isZero ? [] : fillEntries(others, deploymentId))], prices)
  await orders.correct(clientOrderId, { quantity: canceled.quantity.negated(), value: value.negated() }, at)
  return [{ deploymentId, message: sentenceOf({ ...earlier, quantity: canceled.quantity, value }, undefined) }]
}

/**
 * An execution that was booked from its order and is corrected after that. The broker lists the executions of the order by
 * then: together they take the place of that entry, where they are of as many shares, or where the broker's position differs
 * by exactly what they are of more or less. Anything else is a difference that the user is asked about.
 */
async function correctFromOrder(
  stores: LiveStores,
  accountId: number,
  snapshot: Listed,
  { clientOrderId }: OrderIntent,
  { prices, at }: Circumstances,
): Promise<AccountNews[]> {
  const { books, orders } = stores
  const { id, booked, earlier } = await bookedFromOrder(books, accountId, clientOrderId)
  const listed = await unbookedOf(stores, accountId, snapshot, clientOrderId)
  const quantity = listed.reduce((sum, fill) => sum.plus(fill.quantity), Decimal.zero)
  const value = listed.reduce((sum, fill) => sum.plus(fill.quantity.times(fill.price)), Decimal.zero)
  if (!earlier || !quantity.isPositive) return []
  const change = { quantity: quantity.minus(earlier.quantity), value: value.minus(earlier.value) }
  if (!change.quantity.isZero) {
    const { positions } = compareWithBroker(await books.books(accountId), sliceAtBroker(snapshot))
    const { broker, books: own } = positions.find(({ ticker }) => ticker === earlier.ticker) ?? NO_DIFFERENCE
    const moved = earlier.side === 'buy' ? change.quantity : change.quantity.negated()
    if (!broker.minus(own).equals(moved)) return []
  } else if (change.value.isZero) return []
  const { deploymentId, reversals } = await reversed(stores, booked, at)
  const together: Fill = {
    ...listed[0]!,
    executionId: `${id}:corrected:${at.getTime()}`,
    quantity,
    price: value.dividedBy(quantity),
    fee: Decimal.zero,
    at: at.getTime(),
  }
  await books.post(accountId, [...reversals, ...fillEntries(together, deploymentId)], prices)
  await orders.correct(clientOrderId, change, at)
  return [{ deploymentId, message: sentenceOf(earlier, together) }]
}

/** The entries that an order's own figures made, and the trade that they are together. */
async function bookedFromOrder(books: LiveStores['books'], accountId: number, clientOrderId: string) {
  const id = `order:${clientOrderId}`
  const { standing: booked } = await entriesBooked(books, accountId, [id])
  return { id, booked, earlier: booked.length > 0 ? tradeOf(booked) : undefined }
}

const NO_DIFFERENCE = { broker: Decimal.zero, books: Decimal.zero }

/** The executions of an order that count and have no entries of their own. */
async function unbookedOf(
  { books }: LiveStores,
  accountId: number,
  { fills }: Listed,
  clientOrderId: string,
): Promise<Fill[]> {
  const found: Fill[] = []
  for (const { current, ids } of fillVersions(fills)) {
    if (current.clientOrderId !== clientOrderId || current.state === 'canceled') continue
    if ((await entriesBooked(books, accountId, ids)).standing.length === 0) found.push(current)
  }
  return found
}

/** What a deleted deployment had is the account's own. */
const ofTheAccount = (entry: Entry): Entry => ({
  ...entry,
  type: 'EXTERNAL_TRADE',
  deploymentId: undefined,
  legs: entry.legs.map((leg) => (leg.party === 'market' ? leg : { ...leg, party: 'unallocated' as const })),
})

/** Under the key of the version, so that the entries of an earlier one stay beside it. */
const entriesOf = (fill: Fill, deploymentId: number | undefined): Entry[] =>
  fillEntries({ ...fill, executionId: versionKey(fill).slice('fill:'.length) }, deploymentId)

/** Entries of an execution and of its own fee, in any of its versions. */
async function entriesBooked(
  books: LiveStores['books'],
  accountId: number,
  ids: readonly string[],
): Promise<{ all: Entry[]; standing: Entry[] }> {
  const all: Entry[] = []
  const reversals: Entry[] = []
  for (const key of ids.flatMap((id) => [`fill:${id}`, `fee:${id}`])) {
    const found = await books.entries(accountId, key)
    all.push(...found.filter((entry) => entry.key === key || entry.key.startsWith(`${key}:`)))
    reversals.push(...(await books.entries(accountId, `reversal:${key}`)))
  }
  return { all, standing: standing(all, reversals) }
}

interface BookedTrade {
  readonly side: Fill['side']
  readonly ticker: string
  readonly quantity: Decimal
  readonly value: Decimal
}

function tradeOf(entries: readonly Entry[]): BookedTrade {
  const { legs, amount } = entries.find(({ key }) => key.startsWith('fill:'))!
  const { asset, amount: moved } = legs.find((leg) => leg.party !== 'market' && leg.asset !== USD)!
  return { side: moved.isNegative ? 'sell' : 'buy', ticker: asset, quantity: moved.absolute(), value: amount }
}

function sentenceOf(earlier: BookedTrade, instead: Fill | undefined): string {
  const { side, ticker, quantity, value } = earlier
  const before = { side, ticker, quantity, price: value.dividedBy(quantity) }
  if (instead) {
    return `The broker corrected an execution: ${traded(instead)} instead of ${String(quantity)} at ${usdPerShare(before.price)}.`
  }
  const [given, taken] = [`${String(quantity)} ${ticker}`, usd(value)]
  const undone = side === 'buy' ? `${taken} came back, and ${given} left` : `${given} came back, and ${taken} left`
  return `The broker took back an execution, ${traded(before)}: ${undone}.`
}

const traded = ({ side, quantity, ticker, price }: Pick<Fill, 'side' | 'quantity' | 'ticker' | 'price'>): string =>
  `${String(quantity)} ${ticker} ${side === 'buy' ? 'bought' : 'sold'} at ${usdPerShare(price)}`
