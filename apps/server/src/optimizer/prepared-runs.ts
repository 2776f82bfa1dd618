import { Problem } from '@tradewright/core/problem'
import type { PreparedSearch } from '@tradewright/engine/optimizer/prepare'
import { nestedRequest, type NestedWindow } from '@tradewright/engine/optimizer/nested-report'
import type { SearchRequest } from '@tradewright/engine/optimizer/request'
import { Prepared } from '../jobs/prepared.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { RunWorkStore } from './ports.ts'

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

export interface PreparedRun {
  readonly request: SearchRequest
  readonly prepared: PreparedSearch
}

/** A run's own search, or the one before a window of nested walk-forward. */
interface SearchOfRun {
  readonly runId: number
  readonly window?: NestedWindow | undefined
}

const keyOf = ({ runId, window }: SearchOfRun): string => JSON.stringify({ runId, window })

/** The columns of the searches that this process works on, computed once for all its threads. */
export class PreparedRuns {
  readonly #searches: Prepared<string, PreparedRun>

  constructor(work: RunWorkStore, compute: Compute) {
    this.#searches = new Prepared(async (key, userId) => {
      const { runId, window } = JSON.parse(key) as SearchOfRun
      const [asked, data] = await Promise.all([work.request(runId), work.data(runId)])
      if (!asked || !data) throw new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
      const request = window ? nestedRequest(asked, window) : asked
      const prepared = await compute.run('optimizer/prepare', { request, data }, { owner: String(userId) })
      return { request, prepared }
    })
  }

  get(search: SearchOfRun, userId: number): Promise<PreparedRun> {
    return this.#searches.get(keyOf(search), userId)
  }

  forget(search: SearchOfRun): void {
    this.#searches.forget(keyOf(search))
  }
}
