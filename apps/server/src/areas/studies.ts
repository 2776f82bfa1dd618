import type { Clock } from '@tradewright/core/clock'
import type { Foundation } from '../foundation.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveStudies } from '../http/studies/routes.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import { createStudyStore, createStudyWorkStore } from '../stores/studies/studies.ts'
import {
  type OwnStudiesDeps,
  cancelPieces,
  pieceJobKind,
  poolVariants,
  queueVariants,
  studyJobKind,
} from '../studies/study-job.ts'
import { type StudyTransaction, PreparedStudies } from '../studies/study.ts'
import type { Services } from './services.ts'

type Needs = Pick<Foundation, 'database'>

/** Parameter studies joined to their tables, the queue and the routes. */
export function serveStudyArea(handle: Handle, foundation: Needs, services: Services, clock: Clock): void {
  serveStudies(handle, {
    ...ownStudies(foundation, services, clock),
    readLargeForm: (sent, owner) => services.compute.run('studies/read-form', sent, { owner }),
  })
}

export function ownStudies({ database }: Needs, { jobs }: Services, clock: Clock): OwnStudiesDeps {
  const transaction: StudyTransaction = (work) =>
    database
      .transaction()
      .execute((within) => work({ studies: createStudyStore(within), jobs: jobs.jobsWithin(within) }))
  return { studies: createStudyStore(database), transaction, clock }
}

/** Alone on its database a process computes itself; where workers may share it, the queue brings them their part. */
export function studyJobs({ database }: Needs, runtime: Services, clock: Clock): readonly AnyJobKind[] {
  const { compute, marketData, jobs, sharesDatabase } = runtime
  const work = createStudyWorkStore(database)
  const prepared = new PreparedStudies(work)
  return [
    studyJobKind({
      work,
      source: marketData.seriesFor,
      compute,
      prepared,
      cancelPieces: (studyId, userId) => cancelPieces(jobs, studyId, userId),
      evaluatorOf: (studyId, study) => (sharesDatabase ? queueVariants(jobs, studyId) : poolVariants(compute, study)),
      clock,
    }),
    pieceJobKind({ compute, prepared }),
  ]
}
