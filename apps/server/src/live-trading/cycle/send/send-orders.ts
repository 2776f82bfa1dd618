import { usd } from '@tradewright/core/money'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { MINUTE } from '@tradewright/core/time'
import { forgivenPurchase } from '@tradewright/engine/live/order-size'
import { type Broker, INSUFFICIENT_FUNDS, OPPOSITE_ORDER } from '@tradewright/engine/trading/broker'
import { hasEnded, type Order, type OrderRequest } from '@tradewright/engine/trading/order'
import type { Decision, OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isLiquidation, isOfLiquidation } from '../../liquidation/is-liquidation.ts'
import { recordNote } from '../record-note.ts'
import type { CycleDeps, OrderFate } from '../types.ts'
import { quoteOrder } from './quote-order.ts'
import { isTooSoon } from './waiting-intent.ts'

/** A request without an answer for so long counts as lost; if it does arrive, its order is taken up all the same. */
const GIVE_UP_AFTER = 2 * MINUTE
const MAX_ATTEMPTS = 10

/** Whether anything may still be sent for a decision. */
export function maySend(
  { gate, clock }: Pick<CycleDeps, 'gate' | 'clock'>,
  deployment: Deployment,
  decision: Decision,
): boolean {
  const { status, settings } = deployment
  const isWanted = status === 'running' || isLiquidation(deployment, decision.decidedFor.getTime())
  return isWanted && !settings.dryRun && !gate.isClosed(deployment) && clock.now() < decision.expiresAt
}

/** Sends what was journaled, one after another. Whatever happens on the way, the id was chosen before. */
export async function sendOrders(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision,
  intents: readonly OrderIntent[],
): Promise<void> {
  for (const intent of intents.filter(({ state }) => state === 'intended' || state === 'sending')) {
    if (!maySend(deps, deployment, decision)) break
    await sendOrder(deps, broker, deployment, intent)
  }
}

async function sendOrder(deps: CycleDeps, broker: Broker, deployment: Deployment, planned: OrderIntent): Promise<void> {
  if (isTooSoon(planned, deps.clock.now())) return
  const from = planned.state === 'sending' ? 'sending' : 'intended'
  const intent = await quoteOrder(deps, broker, deployment, planned)
  if (!intent) return
  const claim = await deps.database.orders.claim(intent.clientOrderId, from, deps.holder, deps.clock.now())
  if (claim === 'opposite' && from === 'intended') await waitForOpposite(deps, deployment, intent, 'is open')
  if (claim !== 'claimed') return
  deps.onStep('order-claimed')
  // The gate may have closed while the database answered.
  if (!deps.gate.isClosed(deployment)) await place(deps, broker, deployment, intent)
}

/** Two opposite orders of one account at a time are a wash trade: the second is sent when the first has ended. */
async function waitForOpposite(
  deps: CycleDeps,
  deployment: Deployment,
  { clientOrderId, ticker, side }: OrderIntent,
  why: string,
): Promise<void> {
  const opposite = side === 'buy' ? 'sell' : 'buy'
  const sentence = `The order to ${side} ${ticker} waits: another order of the account to ${opposite} it ${why}.`
  const isNew = await deps.database.orders.wait(clientOrderId, sentence, deps.clock.now())
  if (isNew) await recordNote(deps, deployment, { code: 'order-waits', level: 'info', sentence })
}

async function place(deps: CycleDeps, broker: Broker, deployment: Deployment, intent: OrderIntent): Promise<void> {
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
async function cancelIfStopped(deps: CycleDeps, broker: Broker, deployment: Deployment, order: Order): Promise<void> {
  try {
    if (!hasEnded(order.state) && (await isStopped(deps, deployment, order))) {
      await broker.cancel(order.id)
      const line = `Executing Trades: stopped meanwhile, ${order.clientOrderId} is cancelled`
      deps.deploymentLog.write(deployment.id, 'INFO', line)
    }
  } catch (error) {
    deps.log.debug({ err: error, order: order.clientOrderId }, 'an order that was stopped on its way is still open')
  }
}

async function isStopped({ database, gate }: CycleDeps, deployment: Deployment, order: Order): Promise<boolean> {
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

async function record(deps: CycleDeps, deployment: Deployment, order: Order): Promise<void> {
  await deps.database.orders.adopt(order, deps.clock.now())
  const what = `${order.side} ${order.ticker}`
  if (order.state === 'rejected') {
    const sentence = `The broker rejected the order to ${what}: ${order.reason ?? 'no reason given'}.`
    await recordNote(deps, deployment, { code: 'order-rejected', level: 'error', sentence })
  } else {
    const line = `Executing Trades: order to ${what} is ${order.state} (${order.clientOrderId})`
    deps.deploymentLog.write(deployment.id, 'INFO', line)
  }
}

async function afterFailure(
  deps: CycleDeps,
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
    await waitForOpposite(deps, deployment, intent, 'is open at the broker')
  } else if (state === 'refused' && (await isCutDown(deps, broker, deployment, intent, error))) {
    deps.log.debug({ order: intent.clientOrderId }, 'an order was refused and is sent again with less')
  } else if (state === 'refused') {
    await deps.database.orders.end(intent.clientOrderId, 'rejected', message, deps.clock.now())
    const sentence = `The ${what} was refused: ${message}`
    await recordNote(deps, deployment, { code: 'order-refused', level: 'error', sentence })
  } else if (state === 'arrived') {
    const sentence = `The answer to the ${what} was lost, but the broker has it: ${message}`
    await recordNote(deps, deployment, { code: 'order-answer-lost', level: 'warning', sentence })
    await record(deps, deployment, order)
  } else {
    const sentence = `The fate of the ${what} is unknown and will be looked up: ${message}`
    await recordNote(deps, deployment, { code: 'order-unknown', level: 'warning', sentence })
  }
}

/**
 * A purchase that is refused for want of buying power is sent again with what there is, where that is forgiven. The
 * broker does not have it, so that the same id names one order all the same.
 */
async function isCutDown(
  deps: CycleDeps,
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
  await recordNote(deps, deployment, { code: 'order-cut-down', level: 'warning', sentence })
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

/** Orders that the broker does not know: sent again under the same id while there is time, else given up. */
export async function resendUnheard(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision | undefined,
  unheard: readonly OrderIntent[],
  mayTrade: boolean,
): Promise<void> {
  for (const intent of unheard) {
    const isWanted = decision?.id === intent.decisionId && maySend(deps, deployment, decision)
    // Nothing is sent while broker and books disagree; if that lasts, the decision's time runs out.
    if (isWanted && !mayTrade) continue
    // What is not at the broker for sure may wait for its turn until the time runs out.
    const mayRepeat = intent.state === 'intended' || intent.attempts < MAX_ATTEMPTS
    if (isWanted && mayRepeat) await sendOrder(deps, broker, deployment, intent)
    else await giveUp(deps, deployment, intent)
  }
}

async function giveUp(deps: CycleDeps, deployment: Deployment, intent: OrderIntent): Promise<void> {
  const now = deps.clock.now()
  const mayArrive =
    intent.state === 'sending' && intent.sentAt !== null && now.getTime() - intent.sentAt.getTime() < GIVE_UP_AFTER
  const reason = `${intent.reason ?? 'It never reached the broker.'} Its time has passed.`
  if (!mayArrive && (await deps.database.orders.end(intent.clientOrderId, 'abandoned', reason, now))) {
    const sentence = `The order to ${intent.side} ${intent.ticker} was given up: it never reached the broker.`
    await recordNote(deps, deployment, { code: 'order-abandoned', level: 'warning', sentence })
  }
}
