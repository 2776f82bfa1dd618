import { Decimal } from '@tradewright/core/decimal'
import type { Note } from '@tradewright/core/note'
import type { TradableAsset } from '@tradewright/engine/trading/broker'
import { tickerKind } from '@tradewright/core/ticker-kind'
import {
  planPurchases,
  planSales,
  type SizedOrder,
  type Sizing,
  type SizingInput,
} from '@tradewright/engine/live/order-plan'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import { valueOf } from '@tradewright/engine/trading/ledger/books'
import type { Decision, OrderIntent, PlannedOrder } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import type { Assets } from './types.ts'
import type { TradeInputs } from './types.ts'

export const sales = (inputs: TradeInputs): Sizing => planSales(sizingInput(inputs))

/** A slice spends its own cash; where the weights ask for more than 100 %, also what the account may borrow. */
export function purchases(inputs: TradeInputs): Sizing {
  const input = sizingInput(inputs)
  const { slice } = inputs
  const invested = [...input.weights.values()].reduce((sum, weight) => sum + weight, 0)
  const value = valueOf(slice, input.priceOf)
  const borrowed = Math.max(0, Math.min(invested, inputs.leverageLimit) - 1)
  const spendable = slice.cash.plus(value.times(Decimal.fromNumber(borrowed)))
  return planPurchases(input, {
    spendable,
    buyingPower: inputs.buyingPower,
    forgivenessPct: inputs.forgivenessPct,
    costShare: inputs.costShare,
  })
}

const sizingInput = ({ weights, slice, prices, assets }: TradeInputs): SizingInput => ({
  weights: weightsByTicker(weights),
  slice,
  priceOf: (ticker) => prices.get(ticker),
  assetOf: (ticker) => assets.get(ticker),
})

/** The broker's answers about everything that is held or wanted. */
export async function assetsOf(broker: Assets, tickers: Iterable<string>): Promise<Map<string, TradableAsset>> {
  const assets = new Map<string, TradableAsset>()
  for (const ticker of new Set(tickers)) {
    const asset = await broker.asset(ticker)
    if (asset) assets.set(ticker, asset)
  }
  return assets
}

export const intentsOf = (
  deployment: Deployment,
  decision: Decision,
  orders: readonly SizedOrder[],
  at: Date,
): OrderIntent[] =>
  orders.map(({ ticker, side, size }) => ({
    clientOrderId: clientOrderId(deployment.orderKey, decision.decidedFor.getTime(), ticker, side),
    deploymentId: deployment.id,
    accountId: deployment.accountId,
    decisionId: decision.id,
    ticker,
    side,
    quantity: 'quantity' in size ? size.quantity : undefined,
    notional: 'notional' in size ? size.notional : undefined,
    // Coins trade around the clock and know no day.
    timeInForce: tickerKind(ticker) === 'crypto' ? 'gtc' : 'day',
    state: 'intended',
    attempts: 0,
    sentAt: null,
    brokerOrderId: null,
    filledQuantity: Decimal.zero,
    bookedQuantity: Decimal.zero,
    averagePrice: undefined,
    reason: null,
    createdAt: at,
    updatedAt: at,
  }))

export const plannedOf = (orders: readonly SizedOrder[]): PlannedOrder[] =>
  orders.map(({ ticker, side, size, estimatedValue }) => ({
    ticker,
    side,
    quantity: 'quantity' in size ? String(size.quantity) : null,
    notional: 'notional' in size ? String(size.notional) : null,
    estimatedValue: String(estimatedValue),
  }))

export const sentencesOf = (notes: readonly Note[]): string[] => notes.map(({ sentence }) => sentence)
