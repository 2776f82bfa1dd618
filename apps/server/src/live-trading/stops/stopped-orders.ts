import { SECOND } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { cancelOpen } from '../cycle/send/cancel-orders.ts'
import type { CycleDeps } from '../cycle/types.ts'
import type { Deployment } from '../deployment.ts'

/** An order that is still open so long after its cancellation was asked for is cancelled once more. */
const CANCEL_AGAIN_AFTER = 10 * SECOND

/**
 * Cancels what stopped deployments have open, by the ids in the journal. The process that was asked for the stop does so at
 * once; this is for stops whose process died, and for cancellations that failed.
 */
export class StoppedOrders {
  readonly #cancelledAt = new Map<number, number>()

  async cancel(deps: CycleDeps, broker: Broker, deployments: readonly Deployment[]): Promise<void> {
    const now = deps.clock.now().getTime()
    for (const deployment of deployments) {
      if (deployment.status !== 'stopped') this.#cancelledAt.delete(deployment.id)
      else if (now - (this.#cancelledAt.get(deployment.id) ?? 0) >= CANCEL_AGAIN_AFTER) {
        this.#cancelledAt.set(deployment.id, now)
        await cancelOpen(deps, broker, deployment)
      }
    }
  }
}
