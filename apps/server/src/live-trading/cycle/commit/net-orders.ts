import { Decimal } from '@tradewright/core/decimal'
import { usdPerShare } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import { isAuction } from '@tradewright/core/order-types'
import { netTrades, type NettingParty } from '@tradewright/engine/live/netting'
import type { SizedOrder } from '@tradewright/engine/live/sized-order'
import { inSteps, isSaleTooSmall } from '@tradewright/engine/live/order-size'
import type { TradableAsset } from '@tradewright/engine/trading/broker'
import { sliceOfDeployment, valueOf } from '@tradewright/engine/trading/ledger/books'
import { type NettedTrade, nettingEntries } from '@tradewright/engine/trading/ledger/netting-entries'
import { type Deployment, executionOf } from '../../deployment.ts'
import type { LiveStores } from '../../ports/database.ts'
import type { NettedOrder, Plan, Proposed, TradeInputs } from '../types.ts'
import { ifSold, purchases, salesOf, tradeInputs } from './plan-orders.ts'

interface ToNet extends Proposed {
  readonly plan: Plan
}

/**
 * Opposite orders of deployments that decide together become trades between them: booked in the transaction that
 * decides, at the broker's last price, without an order and without costs. What is left goes to the broker.
 */
export async function netOrders<One extends ToNet>(
  stores: LiveStores,
  accountId: number,
  planned: readonly One[],
): Promise<readonly One[]> {
  // What is meant for an auction has no price yet, and borrowed shares are the broker's.
  const trading = planned.filter(
    ({ plan, deployment, proposal, reconciliation }) =>
      plan.orders.length > 0 &&
      plan.outcome !== 'dry_run' &&
      !isAuction(executionOf(deployment).type) &&
      !proposal.weights.some(({ weight }) => weight < 0) &&
      ![...sliceOfDeployment(reconciliation.books, deployment.id).positions.values()].some((held) => held.isNegative),
  )
  const trades = await tradesAmong(stores, accountId, trading)
  if (trades.length === 0) return planned
  const { prices } = planned[0]!.reconciliation
  for (const trade of trades) {
    const { time } = trading.find(({ deployment }) => deployment.id === trade.seller)!
    const at = time.scheduledFor.getTime()
    const key = `net:${at}:${trade.ticker}:${trade.seller}:${trade.buyer}`
    await stores.books.post(accountId, nettingEntries(trade, { key, at: time.now.getTime() }), prices)
  }
  const books = await stores.books.books(accountId)
  const nameOf = new Map(planned.map(({ deployment }) => [deployment.id, deployment.name]))
  return planned.map((one) => {
    const { id } = one.deployment
    const own = trades.filter(({ seller, buyer }) => seller === id || buyer === id)
    if (own.length === 0) return one
    const netted = own.map((trade) => toNettedOrder(trade, id, nameOf))
    const slice = sliceOfDeployment(books, id)
    return {
      ...one,
      plan: rest(one.plan, netted, tradeInputs(one.deployment, one.proposal, slice, one.reconciliation)),
    }
  })
}

/** A run that was decided before a crash has its orders: it takes no part once more. */
async function tradesAmong(stores: LiveStores, accountId: number, planned: readonly ToNet[]): Promise<NettedTrade[]> {
  const trades = await proposedTrades(stores, accountId, planned)
  const involved = new Set(trades.flatMap(({ seller, buyer }) => [seller, buyer]))
  const decided = new Set<number>()
  for (const { deployment, time } of planned.filter(({ deployment: { id } }) => involved.has(id))) {
    if (await stores.decisions.find(deployment.id, time.scheduledFor)) decided.add(deployment.id)
  }
  return decided.size === 0
    ? trades
    : proposedTrades(
        stores,
        accountId,
        planned.filter(({ deployment }) => !decided.has(deployment.id)),
      )
}

async function proposedTrades(
  stores: LiveStores,
  accountId: number,
  planned: readonly ToNet[],
): Promise<NettedTrade[]> {
  if (planned.length < 2 || !planned.some(({ plan }) => plan.outcome === 'selling')) return []
  const books = await stores.books.books(accountId)
  const { quotes, prices } = planned[0]!.reconciliation
  const priceOf = (ticker: string) => quotes.get(ticker) ?? prices.get(ticker)
  const parties = planned.map(({ deployment, proposal, reconciliation, plan }): NettingParty => {
    const slice = sliceOfDeployment(books, deployment.id)
    const sales = plan.orders.filter(({ side }) => side === 'sell')
    const wanted = purchases(withoutLimits(ifSold(tradeInputs(deployment, proposal, slice, reconciliation), sales)))
    return {
      deploymentId: deployment.id,
      cash: slice.cash,
      sales: sales.map((order) => ({ ticker: order.ticker, quantity: quantityOf(order, priceOf) })),
      purchases: wanted.orders.map((order) => ({ ticker: order.ticker, quantity: quantityOf(order, priceOf) })),
    }
  })
  const assets = new Map(planned.flatMap(({ proposal }) => [...proposal.assets]))
  return netTrades(parties, { priceOf, inSteps: (ticker, quantity) => steps(assets.get(ticker), quantity) })
}

const steps = (asset: TradableAsset | undefined, quantity: Decimal): Decimal =>
  asset ? inSteps(quantity, asset) : Decimal.zero

/** The broker lends nothing for a trade that it never sees, and settles nothing. */
function withoutLimits(inputs: TradeInputs): TradeInputs {
  const { nonMarginableBuyingPower: _, settledCash: __, ...account } = inputs.account
  const buyingPower = valueOf(inputs.slice, (ticker) => inputs.prices.get(ticker)).times(Decimal.fromNumber(10))
  return { ...inputs, account: { ...account, buyingPower } }
}

function quantityOf({ ticker, size }: SizedOrder, priceOf: (ticker: string) => Decimal | undefined): Decimal {
  if ('quantity' in size) return size.quantity
  const price = priceOf(ticker)
  return price?.isPositive ? size.notional.dividedBy(price) : Decimal.zero
}

const toNettedOrder = (
  { ticker, quantity, price, seller, buyer }: NettedTrade,
  own: number,
  nameOf: ReadonlyMap<Deployment['id'], string>,
): NettedOrder => {
  const [side, otherId] = own === seller ? (['sell', buyer] as const) : (['buy', seller] as const)
  return { ticker, side, quantity, price, otherId, otherName: nameOf.get(otherId)! }
}

/** What is still sold at the broker; where nothing is, what is bought there. */
function rest(plan: Plan, netted: readonly NettedOrder[], inputs: TradeInputs): Plan {
  const sales = plan.orders.filter(({ side }) => side === 'sell').flatMap((order) => restOf(order, netted, inputs))
  const sold = new Set(plan.orders.filter(({ side }) => side === 'sell').map(({ ticker }) => ticker))
  const buying = sales.length > 0 ? undefined : purchases({ ...inputs, sold })
  const notes: Note[] = [...netted.map(noteOf), ...salesOf(inputs).notes, ...(buying?.notes ?? [])]
  return {
    outcome: sales.length > 0 ? 'selling' : 'buying',
    orders: [...sales, ...(buying?.orders ?? [])],
    notes,
    netted,
  }
}

function restOf(
  order: SizedOrder,
  netted: readonly NettedOrder[],
  { prices, assets, slice }: TradeInputs,
): SizedOrder[] {
  const { ticker } = order
  const own = netted.filter((one) => one.side === 'sell' && one.ticker === ticker)
  if (own.length === 0) return [order]
  const price = prices.get(ticker)!
  const asset = assets.get(ticker)!
  const quantity = own.reduce(
    (left, one) => left.minus(one.quantity),
    'quantity' in order.size ? order.size.quantity : Decimal.zero,
  )
  const isAll = slice.positions.get(ticker)?.equals(quantity) ?? false
  if (isSaleTooSmall(asset, quantity, price, isAll)) return []
  return [{ ticker, side: 'sell', size: { quantity }, estimatedValue: quantity.times(price) }]
}

function noteOf({ ticker, side, quantity, price, otherName }: NettedOrder): Note {
  const what = `${String(quantity)} ${ticker} ${side === 'sell' ? 'sold to' : 'bought from'} "${otherName}"`
  const sentence = `${what} inside the account at ${usdPerShare(price)}, without an order and without costs.`
  return { code: 'netted', level: 'info', sentence }
}
