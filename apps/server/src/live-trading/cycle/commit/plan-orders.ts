import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import { isAuction } from '@tradewright/core/order-types'
import { tickerKind } from '@tradewright/core/ticker-kind'
import {
  afterSales,
  type BuyingLimits,
  planPurchases,
  planSales,
  type Sending,
  type SizedOrder,
  type Sizing,
  type SizingInput,
} from '@tradewright/engine/live/order-plan'
import { partsOf } from '@tradewright/engine/live/order-parts'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { clientOrderId, nettedOrderId } from '@tradewright/engine/trading/client-order-id'
import { type Books, sliceOf, type Slice, sliceOfDeployment, valueOf } from '@tradewright/engine/trading/ledger/books'
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
  const lends = isOneAuction && !deployment.settings.dryRun ? reconciliation.account.spendsOpenSales : true
  const buying = isTwoLegged ? undefined : purchases(ifSold(inputs, selling.orders, lends))
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
  const { buyingPower, nonMarginableBuyingPower, settledCash, costShare = 0 } = account
  const limits: BuyingLimits = {
    spendable,
    buyingPower,
    nonMarginableBuyingPower,
    settledCash,
    forgivenessPct,
    costShare,
  }
  return planPurchases(input, limits)
}

/**
 * As it would stand when these sales have been filled: what they bring can be spent, once it is settled. Without
 * `raisesPower` the broker does not count it before.
 */
export function ifSold(inputs: TradeInputs, sales: readonly SizedOrder[], raisesPower = true): TradeInputs {
  if (sales.length === 0) return inputs
  const { slice, account } = inputs
  const after = afterSales(slice, sales)
  const proceeds = after.cash.minus(slice.cash)
  const { buyingPower, nonMarginableBuyingPower } = account
  const sold = new Set(sales.map(({ ticker }) => ticker))
  if (!raisesPower) return { ...inputs, slice: after, sold }
  return {
    ...inputs,
    slice: after,
    sold,
    account: {
      ...account,
      buyingPower: buyingPower.plus(proceeds),
      ...(nonMarginableBuyingPower && { nonMarginableBuyingPower: nonMarginableBuyingPower.plus(proceeds) }),
    },
  }
}

const sizingInput = ({ weights, slice, prices, assets, sold = new Set() }: TradeInputs): SizingInput => ({
  weights: weightsByTicker(weights),
  slice,
  priceOf: (ticker) => prices.get(ticker),
  assetOf: (ticker) => assets.get(ticker),
  sold,
})

export const tradeInputs = (
  deployment: Deployment,
  { weights, prices, assets }: Pick<Proposal, 'weights' | 'prices' | 'assets'>,
  slice: Slice,
  { account }: Pick<Reconciliation, 'account'>,
): TradeInputs => ({
  weights,
  slice,
  prices,
  assets,
  account,
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
  { ticker, side, size, estimatedValue, sending = { type: 'market', part: 1 } }: SizedOrder,
  at: Date,
): OrderIntent => ({
  clientOrderId: clientOrderId(deployment.orderKey, decision.decidedFor.getTime(), ticker, side, sending.part),
  deploymentId: deployment.id,
  accountId: deployment.accountId,
  decisionId: decision.id,
  ticker,
  side,
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
  orders.map(({ ticker, side, size, estimatedValue }) => ({
    ticker,
    side,
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
          slice,
          available: sliceOf(books, 'unallocated').cash,
        },
      )
    : undefined
}

/** Sales of whole positions, by quantity: a sale by value would leave a rest. */
export const salesOfPositions = ({ positions }: Slice, prices: Reconciliation['prices']): SizedOrder[] =>
  [...positions]
    .filter(([, quantity]) => quantity.isPositive)
    .map(([ticker, quantity]) => ({
      ticker,
      side: 'sell',
      size: { quantity },
      estimatedValue: quantity.times(prices.get(ticker) ?? Decimal.zero),
    }))

/** Of a decision that sells without asking the strategy. */
export const signalOfSales = (orders: readonly SizedOrder[]): DecidedSignal => ({
  dataAsOf: null,
  prediction: null,
  weights: [],
  fingerprint: null,
  synthetic: false,
  planned: plannedOf(orders),
})
