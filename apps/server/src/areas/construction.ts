import type { Clock } from '@tradewright/core/clock'
import { type ConstructionTransaction, constructionJobKind } from '../construction/construction.ts'
import type { Foundation } from '../foundation.ts'
import { serveConstructions } from '../http/construction/routes.ts'
import type { Handle } from '../http/server/handle.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import { createConstructionStore, createConstructionWorkStore } from '../stores/construction/constructions.ts'
import type { Services } from './services.ts'

type Needs = Pick<Foundation, 'database'>

/** Portfolio constructions joined to their table, the queue and the routes. */
export function serveConstructionArea(
  handle: Handle,
  { database }: Needs,
  { jobs, compute }: Services,
  clock: Clock,
): void {
  const transaction: ConstructionTransaction = (work) =>
    database
      .transaction()
      .execute((within) => work({ constructions: createConstructionStore(within), jobs: jobs.jobsWithin(within) }))
  serveConstructions(handle, {
    constructions: createConstructionStore(database),
    transaction,
    clock,
    readLargeForm: (sent, owner) => compute.run('construction/read-form', sent, { owner }),
  })
}

export const constructionJobs = (
  { database }: Needs,
  { compute, marketData }: Services,
  clock: Clock,
): readonly AnyJobKind[] => [
  constructionJobKind({ work: createConstructionWorkStore(database), source: marketData.seriesFor, compute, clock }),
]
