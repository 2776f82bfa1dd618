import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { isAuction } from '@tradewright/core/order-types'
import { tickerKind } from '@tradewright/core/ticker-kind'
import {
  afterSales,
  type BuyingLimits,
  planPurchases,
  planSales,
  type Sizing,
  type SizingInput,
} from '@tradewright/engine/live/order-plan'
import type { Sending, SizedOrder } from '@tradewright/engine/live/sized-order'
import { partsOf } from '@tradewright/engine/live/order-parts'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { clientOrderId, nettedOrderId } from '@tradewright/engine/trading/client-order-id'
import {
  type Books,
  freeCash,
  heldByOthers,
  type Slice,
  sliceOf,
  sliceOfDeployment,
  valueOf,
} from '@tradewright/engine/trading/ledger/books'
import { percentRebalance } from '@tradewright/engine/trading/ledger/capital-entries'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import type { DecidedSignal, Decision, OrderIntent, PlannedOrder } from '../../decision.ts'
import { type Deployment, executionOf } from '../../deployment.ts'
import type { NettedOrder, Plan, Proposal, Reconciliation, TradeInputs } from '../types.ts'

/** Sales where there are any; purchases at once where there are none. */
export function planOf(deployment: Deployment, proposal: Proposal, slice: Slice, reconciliation: Reconciliation): Plan {
  if (!proposal.answer.trades) return { outcome: 'held', orders: [], notes: [], netted: [] }
  const inputs = tradeInputs(deployment, proposal, slice, reconciliation)
  const selling = salesOf(inputs)
  // Sales pay for purchases, which are planned when these have ended; in a dry run and for one auction, as if they had.
  const isOneAuction = isAuction(executionOf(deployment).type)
  const isTwoLegged = selling.orders.length > 0 && !deployment.settings.dryRun && !isOneAuction
  const isForAuction = isOneAuction && !deployment.settings.dryRun
  const lends = isForAuction ? reconciliation.account.spendsOpenSales : true
  const sold = ifSold(inputs, selling.orders, lends)
  // An auction is one moment: what is sold in it cannot be sold short after that.
  const buying = isTwoLegged ? undefined : purchases(isForAuction ? { ...sold, closed: new Set() } : sold)
  const orders = [...selling.orders, ...(buying?.orders ?? [])]
  const notes = [...selling.notes, ...(buying?.notes ?? [])]
  const firstLeg = selling.orders.length > 0 && !isOneAuction ? 'selling' : 'buying'
  const outcome = deployment.settings.dryRun ? 'dry_run' : orders.length === 0 ? 'done' : firstLeg
  return { outcome, orders, notes, netted: [] }
}

export const salesOf = (inputs: TradeInputs): Sizing => planSales(sizingInput(inputs))

/** A slice spends its own cash; where the weights ask for more than 100 %, also what the account may borrow. */
export function purchases(inputs: TradeInputs): Sizing {
  const input = sizingInput(inputs)
  const { slice } = inputs
  const invested = [...input.weights.values()].reduce((sum, weight) => sum + weight, 0)
  const value = valueOf(slice, input.priceOf)
  const { account, forgivenessPct } = inputs
  const borrowed = Math.max(0, Math.min(invested, account.leverageLimit) - 1)
  const spendable = slice.cash.plus(value.times(Decimal.fromNumber(borrowed)))
  const { buyingPower, nonMarginableBuyingPower, settledCash, costRate = 0 } = account
  const limits: BuyingLimits = {
    spendable,
    buyingPower,
    nonMarginableBuyingPower,
    settledCash,
    forgivenessPct,
    costRate,
  }
  return planPurchases(input, limits)
}

/**
 * The account as it would stand when these sales have been filled: what they bring can be spent, once it is settled.
 * Without `raisesPower` the broker does not count it before.
 */
export function ifSold(inputs: TradeInputs, sales: readonly SizedOrder[], raisesPower = true): TradeInputs {
  if (sales.length === 0) return inputs
  const { slice, account } = inputs
  const after = afterSales(slice, sales)
  const proceeds = powerOf(slice, sales)
  const { buyingPower, nonMarginableBuyingPower } = account
  const sold = new Set(sales.filter(({ side }) => side === 'sell').map(({ ticker }) => ticker))
  if (!raisesPower) return { ...inputs, slice: after, sold, closed: sold }
  return {
    ...inputs,
    slice: after,
    sold,
    closed: sold,
    account: {
      ...account,
      buyingPower: buyingPower.plus(proceeds),
      ...(nonMarginableBuyingPower && { nonMarginableBuyingPower: nonMarginableBuyingPower.plus(proceeds) }),
    },
  }
}

/** What sold shares bring can be spent; borrowed ones take up buying power when they are sold, and free it when they are given back. */
const powerOf = ({ positions }: Slice, orders: readonly SizedOrder[]): Decimal =>
  orders.reduce((power, { ticker, side, estimatedValue }) => {
    const isShortSale = side === 'sell' && !positions.get(ticker)?.isPositive
    return isShortSale ? power.minus(estimatedValue) : power.plus(estimatedValue)
  }, Decimal.zero)

const sizingInput = (inputs: TradeInputs): SizingInput => {
  const {
    weights,
    slice,
    prices,
    assets,
    account,
    heldBack,
    heldByOthers,
    sold = new Set(),
    closed = new Set(),
  } = inputs
  return {
    weights: weightsByTicker(weights),
    slice,
    priceOf: (ticker) => prices.get(ticker),
    assetOf: (ticker) => assets.get(ticker),
    heldBack,
    sold,
    closed,
    shorting: { isAllowed: account.isShortingAllowed, buyingPower: account.buyingPower, heldByOthers },
  }
}

export const tradeInputs = (
  deployment: Deployment,
  { weights, prices, assets, heldBack }: Pick<Proposal, 'weights' | 'prices' | 'assets' | 'heldBack'>,
  slice: Slice,
  { account, books }: Pick<Reconciliation, 'account' | 'books'>,
): TradeInputs => ({
  weights,
  slice,
  prices,
  assets,
  account,
  heldBack,
  heldByOthers: (ticker) => heldByOthers(books, deployment.id, ticker),
  forgivenessPct: deployment.settings.forgivenessPct,
})

/** The orders as the deployment's order type sends them, between these instants. */
export function sentAs(
  deployment: Deployment,
  { prices, assets }: Pick<Proposal, 'prices' | 'assets'>,
  slice: Slice,
  orders: readonly SizedOrder[],
  time: { readonly from: number; readonly until: number },
): Sizing {
  return partsOf(orders, {
    execution: executionOf(deployment),
    slice,
    priceOf: (ticker) => prices.get(ticker),
    assetOf: (ticker) => assets.get(ticker),
    ...time,
  })
}

/** Under ids that follow from deployment, run, ticker and side: planned twice, an order is the same order. */
export const intentsOf = (
  deployment: Deployment,
  decision: Decision,
  orders: readonly SizedOrder[],
  at: Date,
): OrderIntent[] => orders.map((order) => intentOf(deployment, decision, order, at))

const intentOf = (
  deployment: Deployment,
  decision: Decision,
  { ticker, side, size, estimatedValue, isShort = false, sending = { type: 'market', part: 1 } }: SizedOrder,
  at: Date,
): OrderIntent => ({
  clientOrderId: clientOrderId(deployment.orderKey, decision.decidedFor.getTime(), ticker, side, sending.part),
  deploymentId: deployment.id,
  accountId: deployment.accountId,
  decisionId: decision.id,
  ticker,
  side,
  isShort,
  quantity: 'quantity' in size ? size.quantity : undefined,
  notional: 'notional' in size ? size.notional : undefined,
  timeInForce: timeInForceOf(ticker, sending),
  orderType: sending.type,
  sendAt: sending.at === undefined ? null : new Date(sending.at),
  limitPrice: undefined,
  timesOutAt: null,
  hasTimedOut: false,
  quote: undefined,
  state: 'intended',
  attempts: 0,
  sentAt: null,
  brokerOrderId: null,
  filledQuantity: Decimal.zero,
  bookedQuantity: Decimal.zero,
  averagePrice: undefined,
  reason: null,
  isBookedFromOrder: false,
  estimatedValue,
  createdAt: at,
  updatedAt: at,
})

/** Coins trade around the clock and know no day. */
function timeInForceOf(ticker: string, { type }: Sending): OrderIntent['timeInForce'] {
  if (isAuction(type)) return type === 'on_open' ? 'opg' : 'cls'
  return tickerKind(ticker) === 'crypto' ? 'gtc' : 'day'
}

/** Trades inside the account are journaled with the orders, as filled: the broker never hears of them. */
export const nettedIntentsOf = (
  deployment: Deployment,
  decision: Decision,
  netted: readonly NettedOrder[],
  at: Date,
): OrderIntent[] =>
  netted.map(({ ticker, side, quantity, price, otherId, otherName }) => ({
    ...intentOf(deployment, decision, { ticker, side, size: { quantity }, estimatedValue: quantity.times(price) }, at),
    clientOrderId: nettedOrderId(deployment.orderKey, decision.decidedFor.getTime(), ticker, side, otherId),
    state: 'filled',
    filledQuantity: quantity,
    bookedQuantity: quantity,
    averagePrice: price,
    reason: `${side === 'sell' ? 'Sold to' : 'Bought from'} "${otherName}" inside the account, without costs`,
  }))

export const plannedOf = (orders: readonly SizedOrder[]): PlannedOrder[] =>
  orders.map(({ ticker, side, size, estimatedValue, isShort = false }) => ({
    ticker,
    side,
    isShort,
    quantity: 'quantity' in size ? String(size.quantity) : null,
    notional: 'notional' in size ? String(size.notional) : null,
    estimatedValue: String(estimatedValue),
  }))

export const nettedPlanOf = (netted: readonly NettedOrder[]): PlannedOrder[] =>
  netted.map(({ ticker, side, quantity, price }) => ({
    ticker,
    side,
    quantity: String(quantity),
    notional: null,
    estimatedValue: String(quantity.times(price)),
  }))

export const sentencesOf = (notes: readonly Note[]): string[] => notes.map(({ sentence }) => sentence)

/** A deployment with a percent of the account is brought to it before it trades. */
export function capitalRebalance(
  deployment: Deployment,
  { account, prices }: Reconciliation,
  books: Books,
  at: Date,
): Entry | undefined {
  const slice = sliceOfDeployment(books, deployment.id)
  const target = account.equity.times(deployment.capitalPolicyValue).dividedBy(Decimal.parse('100'))
  const isPercent = deployment.capitalPolicy === 'percent_of_account' && !deployment.settings.dryRun
  return isPercent
    ? percentRebalance(
        {
          key: `rebalance:${deployment.id}:${at.getTime()}`,
          at: at.getTime(),
          deploymentId: deployment.id,
          note: `Brought to ${String(deployment.capitalPolicyValue)}% of the account`,
        },
        {
          target,
          value: valueOf(slice, (ticker) => prices.get(ticker)),
          cash: freeCash(slice, (ticker) => prices.get(ticker)) ?? Decimal.zero,
          available: sliceOf(books, 'unallocated').cash,
        },
      )
    : undefined
}

/** Orders that close whole positions, by quantity: a sale by value would leave a rest. Shares that are owed are bought back. */
export const closingOrders = ({ positions }: Slice, prices: Reconciliation['prices']): SizedOrder[] =>
  [...positions].map(([ticker, held]) => ({
    ticker,
    side: held.isPositive ? ('sell' as const) : ('buy' as const),
    size: { quantity: held.absolute() },
    estimatedValue: held.absolute().times(prices.get(ticker) ?? Decimal.zero),
    isShort: held.isNegative,
  }))

/** The signal of a decision that sells without asking the strategy. */
export const signalOfSales = (orders: readonly SizedOrder[]): DecidedSignal => ({
  dataAsOf: null,
  prediction: null,
  weights: [],
  fingerprint: null,
  synthetic: false,
  planned: plannedOf(orders),
})
