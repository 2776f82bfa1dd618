import { Problem, sentenceFor } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { hasEnded, type Order, type OrderRequest } from '@tradewright/engine/trading/order'
import type { Decision, OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { isLiquidation, isOfLiquidation } from '../liquidation/is-liquidation.ts'
import { report } from './report.ts'
import type { CycleDeps } from './types.ts'

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
export async function placeOrders(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision,
  intents: readonly OrderIntent[],
): Promise<void> {
  for (const intent of intents) {
    if (intent.state !== 'intended' && intent.state !== 'sending') continue
    if (!maySend(deps, deployment, decision)) return
    await placeOrder(deps, broker, deployment, intent)
  }
}

async function placeOrder(deps: CycleDeps, broker: Broker, deployment: Deployment, intent: OrderIntent): Promise<void> {
  const from = intent.state === 'sending' ? 'sending' : 'intended'
  if (!(await deps.database.orders.claim(intent.clientOrderId, from, deps.holder, deps.clock.now()))) return
  deps.onStep('order-claimed')
  // The gate may have closed while the database answered.
  if (deps.gate.isClosed(deployment)) return
  try {
    const order = await broker.place(requestOf(intent))
    deps.onStep('order-placed')
    await take(deps, deployment, order)
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
  if (hasEnded(order.state)) return
  try {
    const current = await deps.database.deployments.byId(deployment.id)
    const status = current?.status
    const isKept = status === 'running' || status === 'paused' || (current && isOfLiquidation(current, order))
    if (current && isKept && !deps.gate.isClosed(deployment)) return
    await broker.cancel(order.id)
    deps.deploymentLog.write(
      deployment.id,
      'INFO',
      `Executing Trades: stopped meanwhile, ${order.clientOrderId} is cancelled`,
    )
  } catch (error) {
    deps.log.debug({ err: error, order: order.clientOrderId }, 'an order that was stopped on its way is still open')
  }
}

const requestOf = (intent: OrderIntent): OrderRequest => ({
  clientOrderId: intent.clientOrderId,
  ticker: intent.ticker,
  side: intent.side,
  size: intent.quantity === undefined ? { notional: intent.notional! } : { quantity: intent.quantity },
  execution: { type: 'market' },
  timeInForce: intent.timeInForce,
})

async function take(deps: CycleDeps, deployment: Deployment, order: Order): Promise<void> {
  await deps.database.orders.adopt(order, deps.clock.now())
  const what = `${order.side} ${order.ticker}`
  if (order.state === 'rejected') {
    await report(
      deps,
      deployment,
      'error',
      `The broker rejected the order to ${what}: ${order.reason ?? 'no reason given'}.`,
    )
    return
  }
  deps.deploymentLog.write(
    deployment.id,
    'INFO',
    `Executing Trades: order to ${what} is ${order.state} (${order.clientOrderId})`,
  )
}

/** A refusal is an end. Anything else is neither success nor failure: the broker is asked what became of it. */
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
  if (error instanceof Problem && isRefusal(error) && !(await arrivedBefore(broker, intent))) {
    await deps.database.orders.end(intent.clientOrderId, 'rejected', message, deps.clock.now())
    await report(deps, deployment, 'error', `The ${what} was refused: ${message}`)
    return
  }
  const order = await broker.orderByClientId(intent.clientOrderId).catch(() => undefined)
  if (order) {
    await report(deps, deployment, 'warning', `The answer to the ${what} was lost, but the broker has it: ${message}`)
    await take(deps, deployment, order)
    return
  }
  await report(deps, deployment, 'warning', `The fate of the ${what} is unknown and will be looked up: ${message}`)
}

/** Sent once more, an order may be refused because the first one, whose answer was lost, holds what it needs. */
const arrivedBefore = async (broker: Broker, { attempts, clientOrderId }: OrderIntent): Promise<boolean> =>
  attempts > 0 && (await broker.orderByClientId(clientOrderId).catch(() => 'unknown')) !== undefined

/** `conflict` says that the id is taken: by this very order, which is then found by it. */
const isRefusal = ({ kind }: Problem): boolean => kind === 'invalid' || kind === 'denied' || kind === 'missing'

/** Orders that the broker does not know: sent again under the same id while there is time, else given up. */
export async function resolveUnheard(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision | undefined,
  unheard: readonly OrderIntent[],
  mayTrade: boolean,
): Promise<void> {
  for (const intent of unheard) {
    const mine = decision?.id === intent.decisionId && maySend(deps, deployment, decision)
    // Nothing is sent while broker and books disagree; if that lasts, the decision's time runs out.
    if (mine && !mayTrade) continue
    if (mine && intent.attempts < MAX_ATTEMPTS) {
      await placeOrder(deps, broker, deployment, intent)
      continue
    }
    const now = deps.clock.now()
    if (intent.sentAt && now.getTime() - intent.sentAt.getTime() < GIVE_UP_AFTER) continue
    const reason = 'It never reached the broker, and its time has passed.'
    if (await deps.database.orders.end(intent.clientOrderId, 'abandoned', reason, now)) {
      await report(
        deps,
        deployment,
        'warning',
        `The order to ${intent.side} ${intent.ticker} was given up: it never reached the broker.`,
      )
    }
  }
}
