import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd, usdPerShare } from '@tradewright/core/money'
import { isAuction } from '@tradewright/core/order-types'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { isFresh, limitPriceOf, middleOf } from '@tradewright/engine/live/limit-price'
import { inSteps } from '@tradewright/engine/live/order-size'
import type { Broker, BrokerQuote } from '@tradewright/engine/trading/broker'
import type { Decision, OrderIntent } from '../../decision.ts'
import { type Deployment, executionOf } from '../../deployment.ts'
import { isLiquidation } from '../../liquidation/is-liquidation.ts'
import type { DeploymentDeps } from '../types.ts'

/** A marketable limit is filled at once or not at this price. */
const COLLAR_TIMEOUT = MINUTE
const ASK_AGAIN_AFTER = 5 * SECOND

/**
 * Asks for a fresh quote and journals it with the order, with its limit and its shares where it has one, before it is sent.
 * A market order goes on without a quote; an order with a limit waits for one. Undefined: it is not sent now.
 */
export async function quoteOrder(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  intent: OrderIntent,
  decision: Decision | undefined,
): Promise<OrderIntent | undefined> {
  // Sent before: what was journaled then holds.
  if (intent.state === 'sending') return intent
  const hasLimit = intent.orderType === 'collar' || intent.orderType === 'limit'
  const quote = isAuction(intent.orderType) ? undefined : await askQuote(deps, broker, intent)
  const off = quote && offBand(deployment, intent, decision, quote, deps.clock.now())
  if (off !== undefined) {
    await deps.database.orders.end(intent.clientOrderId, 'rejected', off, deps.clock.now())
    await deps.note({ code: 'order-limit', level: 'error', sentence: `Limit reached. ${off}` })
    return undefined
  }
  if (!hasLimit) {
    if (quote) await deps.database.orders.noteQuote(intent.clientOrderId, { quote }, deps.clock.now())
    deps.onStep('order-quoted')
    return intent
  }
  const now = deps.clock.now()
  if (!quote || !isFresh(quote, now.getTime())) {
    await waitForQuote(deps, intent, broker.quote ? quote : 'none offered')
    return undefined
  }
  const limit = await limitOf(broker, deployment, intent, quote)
  if (!limit) {
    await waitForQuote(deps, intent, quote)
    return undefined
  }
  if (!limit.quantity.isPositive) return tooLittle(deps, intent, limit.limitPrice)
  const timeout = intent.orderType === 'collar' ? COLLAR_TIMEOUT : executionOf(deployment).timeoutMinutes * MINUTE
  const priced = { ...limit, timesOutAt: new Date(now.getTime() + timeout) }
  await deps.database.orders.noteQuote(intent.clientOrderId, { quote, ...priced }, now)
  deps.onStep('order-quoted')
  return { ...intent, ...priced, notional: undefined }
}

/** Why an order is not sent at a price so far from the one that it was sized by, as a sentence. */
function offBand(
  deployment: Deployment,
  { side, ticker, quantity, estimatedValue }: OrderIntent,
  decision: Decision | undefined,
  quote: BrokerQuote,
  now: Date,
): string | undefined {
  const { orderLimits } = deployment.settings
  const isSale = decision !== undefined && isLiquidation(deployment, decision.decidedFor.getTime())
  const band = isSale ? undefined : (orderLimits?.priceBandPct ?? undefined)
  const known = decision?.signal.quotes?.[ticker] ?? decision?.signal.closes?.[ticker]
  const bySize = quantity?.isPositive ? estimatedValue?.dividedBy(quantity) : undefined
  const planned = bySize ?? (known === undefined ? undefined : Decimal.parse(known))
  const offered = middleOf(quote)
  if (band === undefined || !planned?.isPositive || !offered || !isFresh(quote, now.getTime())) return undefined
  const offPct = Math.abs(offered.dividedBy(planned).toNumber() - 1) * 100
  return offPct > band
    ? `The order to ${side} ${ticker} is not sent: it is quoted at ${usdPerShare(offered)}, ${offPct.toFixed(1)}% from the ` +
        `${usdPerShare(planned)} that the order was sized by, and its price band is ${band}%. Check the price; if it is right, ` +
        'raise "Price band" in the settings of the deployment.'
    : undefined
}

async function askQuote(
  deps: DeploymentDeps,
  broker: Broker,
  { ticker }: OrderIntent,
): Promise<BrokerQuote | undefined> {
  try {
    return await broker.quote?.(ticker)
  } catch (error) {
    deps.log.debug({ err: error, ticker }, 'no quote')
    return undefined
  }
}

/** Dollars become as many shares as they buy at the limit. */
async function limitOf(broker: Broker, deployment: Deployment, intent: OrderIntent, quote: BrokerQuote) {
  const { ticker, side, quantity, notional, orderType } = intent
  const asset = await broker.asset(ticker)
  const { collarPct } = executionOf(deployment)
  const limitPrice = limitPriceOf({ type: orderType, collarPct }, side, quote, asset)
  if (!asset || !limitPrice?.isPositive) return undefined
  if (quantity) return { limitPrice, quantity }
  const isFractionable = asset.isFractionable && (asset.hasFractionalLimits ?? false)
  return { limitPrice, quantity: inSteps(notional!.dividedBy(limitPrice), { ...asset, isFractionable }) }
}

async function waitForQuote(
  deps: DeploymentDeps,
  { clientOrderId, ticker, side }: OrderIntent,
  quote: BrokerQuote | undefined | 'none offered',
): Promise<void> {
  const now = deps.clock.now()
  const why =
    quote === 'none offered'
      ? 'the broker offers no quotes'
      : quote
        ? `the newest quote is from ${new Date(quote.at).toISOString()}, or has no offer`
        : 'there is no quote'
  const sentence = `The order to ${side} ${ticker} waits: ${why}, and its price needs a fresh quote.`
  const again = new Date(now.getTime() + ASK_AGAIN_AFTER)
  const isNew = await deps.database.orders.postpone(clientOrderId, sentence, again, now)
  if (isNew) await deps.note({ code: 'order-waits', level: 'warning', sentence })
}

async function tooLittle(
  deps: DeploymentDeps,
  { clientOrderId, ticker, notional }: OrderIntent,
  limitPrice: Usd,
): Promise<undefined> {
  const reason = `At ${usd(limitPrice)} a share, ${notional ? usd(notional) : 'this'} buys less than one.`
  await deps.database.orders.end(clientOrderId, 'abandoned', reason, deps.clock.now())
  const sentence = `The order to buy ${ticker} is not sent. ${reason}`
  await deps.note({ code: 'whole-shares', level: 'info', sentence })
}
