import { MINUTE } from '@tradewright/core/time'
import type { CycleDeps } from '../cycle/types.ts'
import type { Deployment } from '../deployment.ts'
import { isTrainingDue, retrain } from './retrain.ts'

/** When nothing could be stored about a training, not even that it failed. */
const PAUSE_MS = MINUTE

/** Trainings of the deployments that this process runs, beside their trading. */
export class Trainings {
  readonly #deps: CycleDeps
  readonly #running = new Set<number>()
  readonly #pausedUntil = new Map<number, number>()

  constructor(deps: CycleDeps) {
    this.#deps = deps
  }

  /** Undefined where nothing is due, or it is being trained already. */
  begin(deployment: Deployment): Promise<void> | undefined {
    const { id, status } = deployment
    const now = this.#deps.clock.now()
    const isPaused = (this.#pausedUntil.get(id) ?? 0) > now.getTime()
    const isWanted = status === 'running' && isTrainingDue(deployment, now)
    return isWanted && !isPaused && !this.#running.has(id) ? this.#train(deployment) : undefined
  }

  async #train(deployment: Deployment): Promise<void> {
    const { log, clock } = this.#deps
    this.#running.add(deployment.id)
    try {
      await retrain(this.#deps, deployment)
    } catch (error) {
      this.#pausedUntil.set(deployment.id, clock.now().getTime() + PAUSE_MS)
      log.warn({ err: error, deploymentId: deployment.id }, 'a training could not be recorded')
    } finally {
      this.#running.delete(deployment.id)
    }
  }
}
