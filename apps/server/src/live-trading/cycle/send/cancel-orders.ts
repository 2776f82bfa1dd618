import type { Broker } from '@tradewright/engine/trading/broker'
import { hasEnded } from '@tradewright/engine/trading/order'
import { isOpen, type OrderIntent } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isOfLiquidation } from '../../liquidation/is-liquidation.ts'
import type { CycleDeps } from '../types.ts'

export const openOrders = async (
  { database }: Pick<CycleDeps, 'database'>,
  { accountId, id }: Deployment,
): Promise<OrderIntent[]> =>
  (await database.orders.unsettled(accountId)).filter((intent) => intent.deploymentId === id && isOpen(intent))

/**
 * A snapshot reads orders before executions: what was filled in between is still open by it. So the broker is asked
 * again.
 */
export async function ordersHaveEnded(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<boolean> {
  for (const { clientOrderId, state } of await openOrders(deps, deployment)) {
    const order = state === 'intended' ? undefined : await broker.orderByClientId(clientOrderId)
    if (!order || !hasEnded(order.state)) return false
    await deps.database.orders.adopt(order, deps.clock.now())
  }
  return true
}

/** Asks for the end of every open order; what was filled by then is booked as ever. */
export async function cancelOpen(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<void> {
  const open = (await openOrders(deps, deployment)).filter((intent) => !isOfLiquidation(deployment, intent))
  for (const { brokerOrderId, clientOrderId, state } of open) {
    if (brokerOrderId !== null) {
      await deps.database.orders.askCancel(deployment.accountId, [brokerOrderId], deps.clock.now())
      try {
        await broker.cancel(brokerOrderId)
      } catch (error) {
        // It has ended by itself meanwhile; the next poll says how.
        deps.log.debug({ err: error, order: clientOrderId }, 'cancel refused')
      }
    } else if (state === 'intended') {
      await deps.database.orders.end(clientOrderId, 'abandoned', 'Stopped before it was sent.', deps.clock.now())
    }
  }
}
