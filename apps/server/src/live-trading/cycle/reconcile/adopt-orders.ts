import { Decimal } from '@tradewright/core/decimal'
import { usd, usdPerShare } from '@tradewright/core/money'
import { epochDayOf } from '@tradewright/core/time'
import { fixedRows } from '@tradewright/engine/backtest/request'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import type { Broker, Fill } from '@tradewright/engine/trading/broker'
import { readClientOrderId } from '@tradewright/engine/trading/client-order-id'
import { standingFills } from '@tradewright/engine/trading/fill-versions'
import { sliceOf } from '@tradewright/engine/trading/ledger/books'
import { contribution } from '@tradewright/engine/trading/ledger/capital-entries'
import { hasEnded, type Order } from '@tradewright/engine/trading/order'
import { withEntries } from '../../capital/totals.ts'
import type { DecidedSignal, Decision, OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import type { ForeignOrder } from '../../ports/books.ts'
import type { LiveStores } from '../../ports/database.ts'
import { namedTickers } from '../../traded-tickers.ts'
import type { AccountNews } from './book-actions.ts'
import type { BrokerSnapshot } from './broker-snapshot.ts'

/** Orders that the broker lists under ids of ours and the journal does not have. */
export interface StrayOrders {
  /** Orders of the account's deployments: the journal has lost its end, as in a backup that was restored. */
  readonly own: readonly StrayOrder[]
  /** The newest of each key that no deployment of this installation has or had. */
  readonly foreign: ReadonlyMap<string, ForeignOrder>
}

interface StrayOrder {
  readonly order: Order
  readonly deploymentId: number
  readonly decidedFor: Date
  readonly isMarketRest: boolean
}

/** What the broker lists under an id of ours. */
interface Listed {
  order: Order | undefined
  readonly fills: Fill[]
}

/**
 * Finds what the journal lacks. An order that has ended is asked for; where the broker no longer has it, its executions say
 * what it was. `since`: an order of another installation counts from then on, or while it is open.
 */
export async function strayOrders(
  { orders, deployments }: Pick<LiveStores, 'orders' | 'deployments'>,
  broker: Broker,
  accountId: number,
  snapshot: Pick<BrokerSnapshot, 'orders' | 'fills'>,
  since: Date,
): Promise<StrayOrders> {
  const listed = underOurIds(snapshot)
  const journaled = await orders.byClientIds(accountId, [...listed.keys()])
  for (const { clientOrderId } of journaled) listed.delete(clientOrderId)
  if (listed.size === 0) return { own: [], foreign: new Map() }
  const present = await deployments.onAccount(accountId)
  const byKey = new Map(present.map((deployment) => [deployment.orderKey, deployment]))
  const keys = [...new Set([...listed.keys()].map((id) => readClientOrderId(id)!.deploymentKey))]
  const known = await deployments.knownOrderKeys(keys.filter((key) => !byKey.has(key)))
  const own: StrayOrder[] = []
  const foreign = new Map<string, ForeignOrder>()
  for (const [id, one] of listed) {
    const { deploymentKey, decidedFor, part } = readClientOrderId(id)!
    const deployment = byKey.get(deploymentKey)
    if (deployment) {
      const order = one.order ?? (await broker.orderByClientId(id)) ?? orderOf(one.fills)
      const isMarketRest = part === 'm'
      if (order) own.push({ order, deploymentId: deployment.id, decidedFor: new Date(decidedFor), isMarketRest })
    } else if (!known.has(deploymentKey)) {
      const newest = newestOf(id, one)
      const before = foreign.get(deploymentKey)
      const counts = newest.at > since || (one.order && !hasEnded(one.order.state))
      if (counts && !(before && newest.at < before.at)) foreign.set(deploymentKey, newest)
    }
  }
  return { own: own.sort((a, b) => a.order.submittedAt - b.order.submittedAt), foreign }
}

/** Why nothing is traded where another installation trades, as a sentence. */
export function otherInstallations(foreign: ReadonlyMap<string, ForeignOrder>): string | null {
  const newest = [...foreign.values()].sort((a, b) => b.at.getTime() - a.at.getTime())[0]
  if (!newest) return null
  const { side, ticker, at } = newest
  const order = `the order to ${side} ${ticker} of ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC is of no deployment here`
  return (
    `Another Tradewright installation trades in this account: ${order}. Both would spend the same money. ` +
    "Stop all deployments of one of them; then take the broker's figures in the other."
  )
}

function underOurIds({ orders, fills }: Pick<BrokerSnapshot, 'orders' | 'fills'>): Map<string, Listed> {
  const listed = new Map<string, Listed>()
  const of = (id: string) => {
    const known = listed.get(id) ?? { order: undefined, fills: [] }
    listed.set(id, known)
    return known
  }
  for (const order of orders) if (readClientOrderId(order.clientOrderId)) of(order.clientOrderId).order = order
  for (const fill of fills) if (readClientOrderId(fill.clientOrderId)) of(fill.clientOrderId).fills.push(fill)
  return listed
}

function newestOf(clientOrderId: string, { order, fills }: Listed): ForeignOrder {
  const { side, ticker } = order ?? fills[0]!
  const at = new Date(Math.max(order?.submittedAt ?? 0, ...fills.map((fill) => fill.at)))
  return { clientOrderId, side, ticker, at }
}

/** An order that the broker lists by its executions alone. */
function orderOf(fills: readonly Fill[]): Order | undefined {
  const standing = standingFills(fills)
  const [first, last] = [standing[0], standing.at(-1)]
  if (!first || !last) return undefined
  const quantity = standing.reduce((sum, fill) => sum.plus(fill.quantity), Decimal.zero)
  const value = standing.reduce((sum, fill) => sum.plus(fill.quantity.times(fill.price)), Decimal.zero)
  return {
    id: first.orderId,
    clientOrderId: first.clientOrderId,
    ticker: first.ticker,
    side: first.side,
    size: { quantity },
    execution: { type: 'market' },
    timeInForce: 'day',
    state: 'filled',
    filledQuantity: quantity,
    averageFillPrice: value.dividedBy(quantity),
    submittedAt: first.at,
    endedAt: last.at,
    reason: undefined,
  }
}

/**
 * Journals them for the deployments that sent them, with the decisions that their ids name, before their executions are
 * booked: from here on they are orders like any other. A decision whose orders have all ended is over, and is what the
 * deployment traded last.
 */
export async function adoptOrders(
  stores: LiveStores,
  accountId: number,
  strays: readonly StrayOrder[],
  at: Date,
): Promise<AccountNews[]> {
  const groups = Map.groupBy(strays, ({ deploymentId, decidedFor }) => `${deploymentId} ${decidedFor.getTime()}`)
  const decided = [...groups.values()].sort((a, b) => a[0]!.decidedFor.getTime() - b[0]!.decidedFor.getTime())
  for (const group of decided) {
    const { deploymentId, decidedFor } = group[0]!
    const deployment = await stores.deployments.byId(deploymentId)
    if (!deployment) continue
    const decision = await decisionOf(stores, deployment, decidedFor, group, at)
    await stores.orders.insert(group.map(({ order }) => intentOf(accountId, decision, order)))
    for (const { order } of group) await stores.orders.adopt(order, at)
    if (!isAtWork(decision)) await traded(stores, deployment, decision, group)
  }
  return strays.map(({ deploymentId, order }) => ({ deploymentId, level: 'warning', message: sentenceOf(order) }))
}

const sentenceOf = ({ side, ticker, state, filledQuantity, averageFillPrice, submittedAt }: Order): string => {
  const done =
    averageFillPrice && filledQuantity.isPositive
      ? `, ${String(filledQuantity)} at ${usdPerShare(averageFillPrice)}`
      : ''
  const sentAt = new Date(submittedAt).toISOString().slice(0, 16).replace('T', ' ')
  return `The broker has an order that the journal had lost; it is taken over: ${side} ${ticker} of ${sentAt} UTC, ${state}${done}.`
}

const isAtWork = ({ outcome }: Decision): boolean => outcome === 'selling' || outcome === 'buying'

async function decisionOf(
  { decisions }: LiveStores,
  { id: deploymentId }: Deployment,
  decidedFor: Date,
  group: readonly StrayOrder[],
  at: Date,
): Promise<Decision> {
  const known = await decisions.find(deploymentId, decidedFor)
  if (known) {
    // The decision's purchases were sent, so they are not planned a second time.
    const hasBought = known.outcome === 'selling' && group.some(({ order }) => order.side === 'buy')
    if (!hasBought) return known
    const { reason, isPartial } = known
    await decisions.move(known.id, 'buying', { reason, isPartial })
    return { ...known, outcome: 'buying' }
  }
  const isOver = group.every(({ order }) => hasEnded(order.state))
  const written = await decisions.insert([
    {
      deploymentId,
      decidedFor,
      decidedAt: new Date(group[0]!.order.submittedAt),
      // Nothing more is sent for it.
      expiresAt: at,
      outcome: isOver ? (isComplete(group) ? 'done' : 'incomplete') : 'buying',
      reason: 'Taken over from the broker: the journal had lost this decision and knows its orders only.',
      isPartial: !hasPurchase(group),
      signal: signalOf(group),
    },
  ])
  return written.get(deploymentId) ?? (await decisions.find(deploymentId, decidedFor))!
}

const signalOf = (group: readonly StrayOrder[]): DecidedSignal => ({
  dataAsOf: null,
  prediction: null,
  weights: [],
  fingerprint: null,
  synthetic: false,
  isAdopted: true,
  planned: group.map(({ order: { ticker, side, size, filledQuantity, averageFillPrice } }) => ({
    ticker,
    side,
    quantity: 'quantity' in size ? String(size.quantity) : null,
    notional: 'notional' in size ? String(size.notional) : null,
    estimatedValue: String(filledQuantity.times(averageFillPrice ?? Decimal.zero)),
  })),
})

/** One that only sold may lack its purchases: the next decision looks. */
const hasPurchase = (group: readonly StrayOrder[]): boolean => group.some(({ order }) => order.side === 'buy')

const isComplete = (group: readonly StrayOrder[]): boolean =>
  hasPurchase(group) && group.every((one) => one.order.state === 'filled' || hasFilledRest(one, group))

/** A limit order that was cancelled in time for a market order in its place. */
const hasFilledRest = ({ order }: StrayOrder, group: readonly StrayOrder[]): boolean =>
  group.some(
    ({ order: other, isMarketRest }) =>
      isMarketRest && other.ticker === order.ticker && other.side === order.side && other.state === 'filled',
  )

/** Inserted as on its way; what the broker says of it is taken over after that. */
function intentOf(accountId: number, decision: Decision, order: Order): OrderIntent {
  const { clientOrderId, ticker, side, size, execution, timeInForce, submittedAt } = order
  const sentAt = new Date(submittedAt)
  return {
    clientOrderId,
    deploymentId: decision.deploymentId,
    accountId,
    decisionId: decision.id,
    ticker,
    side,
    isShort: false,
    quantity: 'quantity' in size ? size.quantity : undefined,
    notional: 'notional' in size ? size.notional : undefined,
    timeInForce,
    orderType: orderTypeOf(order),
    sendAt: null,
    limitPrice: execution.type === 'limit' ? execution.limitPrice : undefined,
    timesOutAt: null,
    hasTimedOut: false,
    quote: undefined,
    state: 'sending',
    attempts: 1,
    sentAt,
    brokerOrderId: null,
    filledQuantity: Decimal.zero,
    bookedQuantity: Decimal.zero,
    averagePrice: undefined,
    reason: null,
    isBookedFromOrder: false,
    estimatedValue: undefined,
    createdAt: sentAt,
    updatedAt: sentAt,
  }
}

const orderTypeOf = ({ execution, timeInForce }: Order): OrderIntent['orderType'] =>
  timeInForce === 'opg' ? 'on_open' : timeInForce === 'cls' ? 'on_close' : execution.type

async function traded(
  { deployments }: LiveStores,
  { id, lastTrade, totals }: Deployment,
  { decidedFor, outcome }: Decision,
  group: readonly StrayOrder[],
): Promise<void> {
  const day = epochDayOf(decidedFor.getTime())
  if (lastTrade && day < lastTrade.day) return
  const contributions = String(totals.contributions)
  const isWhole = outcome === 'done' && isComplete(group)
  await deployments.change(id, {
    lastTrade: { signal: undefined, isAdopted: true, day, isComplete: isWhole, contributions },
  })
}

/**
 * Purchases of orders that were taken over may have been paid by money that came in after the journal's end: what is
 * missing is booked as a contribution from the unallocated rest. Where more than the own cash may be spent, nobody can tell.
 */
export async function coverPurchases(
  stores: LiveStores,
  accountId: number,
  strays: readonly StrayOrder[],
  prices: ReadonlyMap<string, Decimal>,
  at: Date,
): Promise<AccountNews[]> {
  const news: AccountNews[] = []
  for (const id of new Set(strays.map(({ deploymentId }) => deploymentId))) {
    const deployment = await stores.deployments.byId(id)
    const { cash } = await stores.books.slice(accountId, id)
    if (deployment?.capitalPolicy !== 'fixed_contribution' || mayBorrow(deployment)) continue
    const { cash: left } = sliceOf(await stores.books.books(accountId), 'unallocated')
    // Contributions are of whole cents.
    const missing = cash.negated().rounded(2)
    if (missing.isBelow(SMALLEST_CONTRIBUTION) || left.isBelow(missing)) continue
    const newest = strays.findLast(({ deploymentId }) => deploymentId === id)!
    const head = {
      key: `adopted:${newest.order.clientOrderId}`,
      at: at.getTime(),
      deploymentId: id,
      note: 'Spent by orders that the journal had lost',
    }
    const posted = await stores.books.post(accountId, [contribution(head, missing, left)], prices)
    const totals = withEntries(deployment.totals, posted)
    const { lastTrade } = deployment
    await stores.deployments.change(id, {
      totals,
      ...(lastTrade?.isAdopted && { lastTrade: { ...lastTrade, contributions: String(totals.contributions) } }),
    })
    const message = `The orders that were taken over spent ${usd(missing)} more than the deployment had: booked as a contribution.`
    news.push({ deploymentId: id, level: 'warning', message })
  }
  return news
}

/** Rounding of fills, and fees, are no contribution. */
const SMALLEST_CONTRIBUTION = Decimal.parse('1')

function mayBorrow(deployment: Deployment): boolean {
  const { strategy, settings } = deployment
  const isAbove = fixedRows(strategy.request.strategy).some((rows) => sumOf(rows) > 100)
  return (
    isAbove || namedTickers(deployment).some((ticker) => (tradedAs(ticker, settings.tickerMapping)?.leverage ?? 1) > 1)
  )
}

const sumOf = (rows: readonly { readonly allocationPct: number }[]): number =>
  rows.reduce((sum, { allocationPct }) => sum + allocationPct, 0)
