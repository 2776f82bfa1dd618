import { usd } from '@tradewright/core/money'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { forgivenPurchase } from '@tradewright/engine/live/order-size'
import { type Broker, INSUFFICIENT_FUNDS, OPPOSITE_ORDER } from '@tradewright/engine/trading/broker'
import { hasEnded, type Order, type OrderRequest } from '@tradewright/engine/trading/order'
import { tryAgainAfter } from '@tradewright/engine/trading/refusals'
import type { OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isOfLiquidation } from '../../liquidation/is-liquidation.ts'
import type { DeploymentDeps, OrderFate } from '../types.ts'

/** A refusal that passes within seconds is met no more often; after that the order waits as others do. */
const MAX_TRIES_NOW = 4

/** Two opposite orders of one account at a time are a wash trade: the second is sent when the first has ended. */
export async function waitForOpposite(
  deps: DeploymentDeps,
  { clientOrderId, ticker, side }: OrderIntent,
  why: string,
): Promise<void> {
  const opposite = side === 'buy' ? 'sell' : 'buy'
  const sentence = `The order to ${side} ${ticker} waits: another order of the account to ${opposite} it ${why}.`
  const isNew = await deps.database.orders.wait(clientOrderId, sentence, deps.clock.now())
  if (isNew) await deps.note({ code: 'order-waits', level: 'info', sentence })
}

export async function placeOrder(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  intent: OrderIntent,
): Promise<void> {
  try {
    const order = await broker.place(requestOf(intent))
    deps.onStep('order-placed')
    await record(deps, deployment, order)
    await cancelIfStopped(deps, broker, deployment, order)
  } catch (error) {
    await afterFailure(deps, broker, deployment, intent, error)
  }
  deps.onStep('order-recorded')
}

/**
 * A stop that came while the order was on its way found nothing at the broker to cancel: the sender takes it back. If
 * that fails, the next poll cancels it.
 */
async function cancelIfStopped(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  order: Order,
): Promise<void> {
  try {
    if (!hasEnded(order.state) && (await isStopped(deps, deployment, order))) {
      await deps.database.orders.askCancel(deployment.accountId, [order.id], deps.clock.now())
      await broker.cancel(order.id)
      const line = `Executing Trades: stopped meanwhile, ${order.clientOrderId} is cancelled`
      deps.deploymentLog.write(deployment.id, 'INFO', line)
    }
  } catch (error) {
    deps.log.debug({ err: error, order: order.clientOrderId }, 'an order that was stopped on its way is still open')
  }
}

async function isStopped({ database, gate }: DeploymentDeps, deployment: Deployment, order: Order): Promise<boolean> {
  const current = await database.deployments.byId(deployment.id)
  const status = current?.status
  const isKept = status === 'running' || status === 'paused' || (current && isOfLiquidation(current, order))
  return !isKept || gate.isClosed(deployment)
}

const requestOf = (intent: OrderIntent): OrderRequest => ({
  clientOrderId: intent.clientOrderId,
  ticker: intent.ticker,
  side: intent.side,
  size: intent.quantity === undefined ? { notional: intent.notional! } : { quantity: intent.quantity },
  execution: intent.limitPrice ? { type: 'limit', limitPrice: intent.limitPrice } : { type: 'market' },
  timeInForce: intent.timeInForce,
})

async function record(deps: DeploymentDeps, deployment: Deployment, order: Order): Promise<void> {
  await deps.database.orders.adopt(order, deps.clock.now())
  const what = `${order.side} ${order.ticker}`
  if (order.state === 'rejected') {
    const sentence = `The broker rejected the order to ${what}: ${order.reason ?? 'no reason given'}.`
    await deps.note({ code: 'order-rejected', level: 'error', sentence })
  } else {
    const line = `Executing Trades: order to ${what} is ${order.state} (${order.clientOrderId})`
    deps.deploymentLog.write(deployment.id, 'INFO', line)
  }
}

async function afterFailure(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  intent: OrderIntent,
  error: unknown,
): Promise<void> {
  const what = `order to ${intent.side} ${intent.ticker}`
  const message = sentenceFor(error)
  if (!(error instanceof Problem))
    deps.log.error({ err: error, deploymentId: deployment.id }, 'an order failed unexpectedly')
  const { state, order } = await fateOf(broker, intent, error)
  if (state === 'refused' && error instanceof Problem && error.code === OPPOSITE_ORDER) {
    await waitForOpposite(deps, intent, 'is open at the broker')
  } else if (
    state === 'refused' &&
    intent.attempts < MAX_TRIES_NOW &&
    tryAgainAfter(broker.refusals, message) === 'now'
  ) {
    await deps.database.orders.wait(intent.clientOrderId, message, deps.clock.now())
  } else if (state === 'refused' && (await isCutDown(deps, broker, deployment, intent, error))) {
    deps.log.debug({ order: intent.clientOrderId }, 'an order was refused and is sent again with less')
  } else if (state === 'refused') {
    await deps.database.orders.end(intent.clientOrderId, 'rejected', message, deps.clock.now())
    const sentence = `The ${what} was refused: ${message}`
    await deps.note({ code: 'order-refused', level: 'error', sentence })
  } else if (state === 'arrived') {
    const sentence = `The answer to the ${what} was lost, but the broker has it: ${message}`
    await deps.note({ code: 'order-answer-lost', level: 'warning', sentence })
    await record(deps, deployment, order)
  } else {
    const sentence = `The fate of the ${what} is unknown and will be looked up: ${message}`
    await deps.note({ code: 'order-unknown', level: 'warning', sentence })
  }
}

/**
 * A purchase that is refused for want of buying power is sent again with what there is, where that is forgiven. The
 * broker does not have it, so that the same id names one order all the same.
 */
async function isCutDown(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  { clientOrderId, side, ticker, notional, attempts }: OrderIntent,
  error: unknown,
): Promise<boolean> {
  const { forgivenessPct } = deployment.settings
  const isShort = error instanceof Problem && error.code === INSUFFICIENT_FUNDS
  if (!isShort || side !== 'buy' || !notional || attempts > 0 || forgivenessPct === 0) return false
  const account = await broker.account().catch(() => undefined)
  const isCoin = tickerKind(ticker) === 'crypto'
  const power = (isCoin ? account?.nonMarginableBuyingPower : undefined) ?? account?.buyingPower
  const left = power && forgivenPurchase(notional, power, forgivenessPct)
  if (!left) return false
  await deps.database.orders.cutDown(clientOrderId, left, deps.clock.now())
  const sentence = `The broker refused the order to buy ${usd(notional)} of ${ticker}; it is cut down to the available ${usd(left)}.`
  await deps.note({ code: 'order-cut-down', level: 'warning', sentence })
  return true
}

/** A refusal is an end. Anything else is neither success nor failure: the broker is asked what became of it. */
async function fateOf(broker: Broker, intent: OrderIntent, error: unknown): Promise<OrderFate> {
  const isRefused = error instanceof Problem && isRefusal(error) && !(await arrivedBefore(broker, intent))
  const order = isRefused ? undefined : await broker.orderByClientId(intent.clientOrderId).catch(() => undefined)
  return order ? { state: 'arrived', order } : { state: isRefused ? 'refused' : 'unknown' }
}

/** Sent once more, an order may be refused because the first one, whose answer was lost, holds what it needs. */
const arrivedBefore = async (broker: Broker, { attempts, clientOrderId }: OrderIntent): Promise<boolean> =>
  attempts > 0 && (await broker.orderByClientId(clientOrderId).catch(() => 'unknown')) !== undefined

/** `conflict` says that the id is taken: by this very order, which is then found by it. */
const isRefusal = ({ kind }: Problem): boolean => kind === 'invalid' || kind === 'denied' || kind === 'missing'
