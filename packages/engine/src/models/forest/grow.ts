import type { IsCancelled } from '../cancellation.ts'
import { GrowthSoFar } from './growth-so-far.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { growLargeForest } from './large-fit.ts'
import { growRandomCuts } from './random-cuts.ts'
import { growSmallForest, isSmallJob } from './small-fit.ts'
import { isTaken } from './tree-sums.ts'

/**
 * Grows the job's trees on this thread or, of a slice, those that it takes before it is called back. Which tier serves a
 * job changes its speed, never its result.
 */
export function growForest(job: ForestJob, isCancelled: IsCancelled, isCalledBack?: () => boolean): ForestGrowth {
  if (isTaken(job)) return new GrowthSoFar(job).end()
  if (job.cuts === 'random') return growRandomCuts(job, isCancelled, isCalledBack)
  return isSmallJob(job) ? growSmallForest(job, isCancelled, isCalledBack) : growLargeForest(job, isCancelled)
}
