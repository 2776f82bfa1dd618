import type { IsCancelled } from '../cancellation.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { growLargeForest } from './large-fit.ts'
import { growSmallForest, isSmallJob } from './small-fit.ts'

/** Grows the job's trees on this thread. Which tier serves a job changes its speed, never its result. */
export function growForest(job: ForestJob, isCancelled: IsCancelled): ForestGrowth {
  return isSmallJob(job) ? growSmallForest(job, isCancelled) : growLargeForest(job, isCancelled)
}
