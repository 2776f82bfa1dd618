import { Problem } from '@tradewright/core/problem'
import type { JobStore } from '../../jobs/ports.ts'
import { jobMissing } from './collection-job.ts'
import type { CollectionJobStore } from './ports.ts'

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
