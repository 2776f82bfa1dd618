import { Problem } from '@tradewright/core/problem'
import type { StudyRequest } from '@tradewright/engine/study/plan'
import { randomUUID } from 'node:crypto'
import { Prepared } from '../jobs/prepared.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { StudyWorkStore } from './ports.ts'

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

/** What a thread needs of a study; the prices are shared, not copied. */
export interface PreparedStudy {
  /** Threads that have read the prices of this key have them at hand. */
  readonly key: string
  readonly request: StudyRequest
  readonly data: Uint8Array
}

/** The prices of the studies that this process works on, read once for all its threads. */
export class PreparedStudies extends Prepared<number, PreparedStudy> {
  constructor(work: StudyWorkStore) {
    super(async (id) => {
      const [request, stored] = await Promise.all([work.request(id), work.data(id)])
      if (!request || !stored) throw new Problem('missing', 'study.missing', 'There is no such parameter study.')
      const data = new Uint8Array(new SharedArrayBuffer(stored.length))
      data.set(stored)
      return { key: randomUUID(), request, data }
    })
  }
}
