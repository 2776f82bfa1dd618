import { SECOND } from '@tradewright/core/time'

/** A deployment whose data takes longer decides alone: the others do not miss their moment because of it. */
const MAX_WAIT = 10 * SECOND

/**
 * The deployments of an account that are due in one poll. Their decisions wait for each other, so that they are committed
 * together and opposite orders are netted: without this, the fastest would be at the broker before the next is known.
 */
export class DecisionRound {
  readonly #expected: Set<number>
  readonly #complete = Promise.withResolvers<void>()
  readonly #timer: NodeJS.Timeout | undefined

  constructor(expected: readonly number[], maxWaitMs = MAX_WAIT) {
    this.#expected = new Set(expected)
    if (expected.length > 1) this.#timer = setTimeout(() => this.#complete.resolve(), maxWaitMs)
    else this.#complete.resolve()
  }

  /** It has decided, or it will not; told more than once, it counts once. */
  leave(deploymentId: number): void {
    if (!this.#expected.delete(deploymentId) || this.#expected.size > 0) return
    clearTimeout(this.#timer)
    this.#complete.resolve()
  }

  /** It has decided: waits for the others. */
  async join(deploymentId: number): Promise<void> {
    this.leave(deploymentId)
    await this.#complete.promise
  }
}
