import { Problem } from '@tradewright/core/problem'
import type { PreparedSearch } from '@tradewright/engine/optimizer/prepare'
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

/** The columns of the runs that this process works on, computed once for all its threads. */
export class PreparedRuns extends Prepared<number, PreparedRun> {
  constructor(work: RunWorkStore, compute: Compute) {
    super(async (runId, userId) => {
      const [request, data] = await Promise.all([work.request(runId), work.data(runId)])
      if (!request || !data) throw new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
      const prepared = await compute.run('optimizer/prepare', { request, data }, { owner: String(userId) })
      return { request, prepared }
    })
  }
}
