import { Problem } from '@tradewright/core/problem'
import type { PreparedSearch } from '@tradewright/engine/optimizer/prepare'
import type { SearchRequest } from '@tradewright/engine/optimizer/request'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { RunWorkStore } from './ports.ts'

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

export interface PreparedRun {
  readonly request: SearchRequest
  readonly prepared: PreparedSearch
}

/** A few at once; the columns of a run may be a hundred megabytes. */
const MAX_PREPARED = 3

/** The columns of the runs that this process works on, computed once for all its threads. */
export class PreparedRuns {
  readonly #work: RunWorkStore
  readonly #compute: Compute
  /** The one used last comes last. */
  readonly #runs = new Map<number, Promise<PreparedRun>>()

  constructor(work: RunWorkStore, compute: Compute) {
    this.#work = work
    this.#compute = compute
  }

  get(runId: number, userId: number): Promise<PreparedRun> {
    const preparing = this.#runs.get(runId) ?? this.#prepare(runId, userId)
    this.#runs.delete(runId)
    this.#runs.set(runId, preparing)
    preparing.catch(() => this.#forget(runId, preparing))
    for (const oldest of [...this.#runs.keys()].slice(0, -MAX_PREPARED)) this.#runs.delete(oldest)
    return preparing
  }

  forget(runId: number): void {
    this.#runs.delete(runId)
  }

  #forget(runId: number, failed: Promise<PreparedRun>): void {
    if (this.#runs.get(runId) === failed) this.#runs.delete(runId)
  }

  async #prepare(runId: number, userId: number): Promise<PreparedRun> {
    const [request, data] = await Promise.all([this.#work.request(runId), this.#work.data(runId)])
    if (!request || !data) throw new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
    const prepared = await this.#compute.run('optimizer/prepare', { request, data }, { owner: String(userId) })
    return { request, prepared }
  }
}
