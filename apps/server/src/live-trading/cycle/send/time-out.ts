import { Decimal } from '@tradewright/core/decimal'
import { SECOND } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import { type Decision, isOpen, isSettled, type OrderIntent } from '../../decision.ts'
import { type Deployment, executionOf } from '../../deployment.ts'
import type { DeploymentDeps } from '../types.ts'
import { maySend } from './send-orders.ts'

/** An order that is still open so long after its cancellation was asked for is cancelled once more. */
const CANCEL_AGAIN_AFTER = 10 * SECOND

export const isTimedOut = ({ timesOutAt, ...intent }: Pick<OrderIntent, 'timesOutAt' | 'state'>, now: Date): boolean =>
  timesOutAt !== null && timesOutAt <= now && isOpen(intent) && intent.state !== 'intended'

/** Cancels orders whose time is over. Noted first: a process that dies in between leaves it to the next one. */
export async function cancelTimedOut(
  deps: DeploymentDeps,
  broker: Broker,
  deployment: Deployment,
  intents: readonly OrderIntent[],
): Promise<void> {
  const now = deps.clock.now()
  for (const intent of intents.filter((one) => one.brokerOrderId !== null && isTimedOut(one, now))) {
    const { clientOrderId: id, side, ticker, brokerOrderId } = intent
    await deps.database.orders.timeOut(id, new Date(now.getTime() + CANCEL_AGAIN_AFTER), now)
    deps.onStep('order-timed-out')
    if (!intent.hasTimedOut) {
      const then = restIsSent(deployment, intent) ? 'the rest is sent as a market order' : 'the rest is given up'
      const sentence = `The order to ${side} ${ticker} was not filled in time: it is cancelled, and ${then}.`
      await deps.note({ code: 'order-timed-out', level: 'warning', sentence })
    }
    try {
      await broker.cancel(brokerOrderId!)
    } catch (error) {
      // It has ended by itself meanwhile; the next poll says how.
      deps.log.debug({ err: error, order: id }, 'cancel refused')
    }
  }
}

const restIsSent = (deployment: Deployment, { orderType }: OrderIntent): boolean =>
  orderType === 'limit' && executionOf(deployment).afterTimeout === 'market'

/**
 * Journals market orders for what limit orders left when their time was over. The id follows from the limit order's, so that
 * it is made once.
 */
export async function journalRests(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  intents: readonly OrderIntent[],
): Promise<boolean> {
  const known = new Set(intents.map((intent) => intent.clientOrderId))
  const now = deps.clock.now()
  const rests = intents
    .filter((one) => one.hasTimedOut && isSettled(one) && restIsSent(deployment, one))
    .map((one) => restOf(deployment, decision, one, now))
    .filter((rest) => rest.quantity!.isPositive && !known.has(rest.clientOrderId))
  if (rests.length === 0 || !maySend(deps, deployment, decision)) return false
  await deps.database.orders.insert(rests)
  deps.onStep('rest-journaled')
  return true
}

/** A market order for what is left of a limit order, with which its value was counted. */
const restOf = (deployment: Deployment, decision: Decision, intent: OrderIntent, at: Date): OrderIntent => ({
  ...intent,
  clientOrderId: restIdOf(deployment, decision, intent),
  quantity: intent.quantity!.minus(intent.filledQuantity),
  orderType: 'market',
  state: 'intended',
  attempts: 0,
  sentAt: null,
  sendAt: null,
  limitPrice: undefined,
  timesOutAt: null,
  hasTimedOut: false,
  cancelAskedAt: undefined,
  quote: undefined,
  brokerOrderId: null,
  filledQuantity: Decimal.zero,
  bookedQuantity: Decimal.zero,
  averagePrice: undefined,
  reason: null,
  isBookedFromOrder: false,
  estimatedValue: Decimal.zero,
  createdAt: at,
  updatedAt: at,
})

const restIdOf = (
  { orderKey }: Pick<Deployment, 'orderKey'>,
  { decidedFor }: Decision,
  { ticker, side }: OrderIntent,
): string => clientOrderId(orderKey, decidedFor.getTime(), ticker, side, 'm')

/** Filled, or cancelled in time for a market order that was filled in its place. */
export const isCarriedOut = (
  deployment: Pick<Deployment, 'orderKey'>,
  decision: Decision,
  intent: OrderIntent,
  all: readonly OrderIntent[],
): boolean =>
  intent.state === 'filled' ||
  (intent.hasTimedOut &&
    all.some((one) => one.clientOrderId === restIdOf(deployment, decision, intent) && one.state === 'filled'))
