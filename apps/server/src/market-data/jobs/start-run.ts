import { Problem } from '@tradewright/core/problem'
import { enqueueJob, type JobWatch } from '../../jobs/job-watch.ts'
import type { JobStore } from '../../jobs/job.ts'
import { jobMissing, type CollectionJobStore, checkReady } from './collection-job.ts'
import { COLLECTION_KIND, CollectionInput, CollectionResult, singletonKeyOf } from './run-job.ts'

export interface StartDeps {
  readonly jobs: CollectionJobStore
  readonly queue: JobStore
  readonly watch: JobWatch
}

/** Runs a job and waits for its end. A run that is under way already is waited for; the run goes on without us. */
export async function runNow({ jobs, queue, watch }: StartDeps, userId: number, id: number): Promise<CollectionResult> {
  const job = await jobs.find(userId, id)
  if (!job) throw jobMissing()
  checkReady(job, await jobs.list(userId))
  const { job: work } = await enqueueJob({ jobs: queue }, collectionRequestKind, {
    userId,
    subject: job.name,
    input: { collectionJobId: id },
    isLimited: true,
    singletonKey: singletonKeyOf(id),
  })
  return CollectionResult.parse(await watch.result(userId, work.id))
}

export const collectionRequestKind = { kind: COLLECTION_KIND, input: CollectionInput }

interface CancelDeps {
  readonly jobs: CollectionJobStore
  readonly queue: Pick<JobStore, 'requestCancel'>
}

/** Asks the run of a job to stop. It stores what it has, says how much that was, and ends as cancelled. */
export async function cancelRun({ jobs, queue }: CancelDeps, userId: number, id: number): Promise<void> {
  const job = await jobs.find(userId, id)
  if (!job) throw jobMissing()
  const { workId } = job.standing
  if (!workId) throw new Problem('conflict', 'collection.not-running', `"${job.name}" is not running.`)
  await queue.requestCancel(userId, workId)
}
