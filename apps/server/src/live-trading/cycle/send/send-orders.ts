import { MINUTE } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Decision, OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isLiquidation } from '../../liquidation/is-liquidation.ts'
import type { CycleDeps, DeploymentDeps } from '../types.ts'
import { placeOrder, waitForOpposite } from './place-order.ts'
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
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  decision: Decision,
  intents: readonly OrderIntent[],
): Promise<void> {
  for (const intent of intents.filter(({ state }) => state === 'intended' || state === 'sending')) {
    if (!maySend(deps, deployment, decision)) break
    await sendOrder(deps, broker, deployment, intent, decision)
  }
}

async function sendOrder(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  planned: OrderIntent,
  decision: Decision | undefined,
): Promise<void> {
  if (isTooSoon(planned, deps.clock.now())) return
  const from = planned.state === 'sending' ? 'sending' : 'intended'
  const intent = await quoteOrder(deps, broker, deployment, planned, decision)
  if (!intent) return
  const claim = await deps.database.orders.claim(intent.clientOrderId, from, deps.holder, deps.clock.now())
  if (claim === 'opposite' && from === 'intended') await waitForOpposite(deps, intent, 'is open')
  if (claim !== 'claimed') return
  deps.onStep('order-claimed')
  // The gate may have closed while the database answered.
  if (!deps.gate.isClosed(deployment)) await placeOrder(deps, broker, deployment, intent)
}

/** Orders that the broker does not know: sent again under the same id while there is time, else given up. */
export async function resendUnheard(
  deps: DeploymentDeps,
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
    if (isWanted && mayRepeat) await sendOrder(deps, broker, deployment, intent, decision)
    else await giveUp(deps, intent)
  }
}

async function giveUp(deps: DeploymentDeps, intent: OrderIntent): Promise<void> {
  const now = deps.clock.now()
  const mayArrive =
    intent.state === 'sending' && intent.sentAt !== null && now.getTime() - intent.sentAt.getTime() < GIVE_UP_AFTER
  const reason = `${intent.reason ?? 'It never reached the broker.'} Its time has passed.`
  if (!mayArrive && (await deps.database.orders.end(intent.clientOrderId, 'abandoned', reason, now))) {
    const sentence = `The order to ${intent.side} ${intent.ticker} was given up: it never reached the broker.`
    await deps.note({ code: 'order-abandoned', level: 'warning', sentence })
  }
}
