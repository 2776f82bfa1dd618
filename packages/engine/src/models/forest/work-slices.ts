/** How threads divide a forest among them. Which thread grows which of its sums does not show in the result. */
import type { IsCancelled } from '../cancellation.ts'
import { growForest } from './grow.ts'
import type { ForestGrowth, ForestJob } from './job.ts'
import { isSmallJob } from './small-fit.ts'
import { sumAt, sumCount, TEN_MILLISECONDS } from './tree-sums.ts'

/**
 * A small forest in at most so many slices, and fewer where one more is not worth its message and setting up the rows.
 * Threads that have a slice take the next sum from a common list until none is left, so that they end together, however
 * late one of them came or how slow it was. Of a large forest each sum is a job of its own: it takes long enough, and its
 * trees travel as soon as they are grown.
 */
export function forestSlices(job: ForestJob, most: number): ForestJob[] {
  if (!isSmallJob(job)) return Array.from({ length: sumCount(job) }, (_, at) => onlySum(job, at))
  const work = (job.treeTo - job.treeFrom) * job.trainRows.length
  const slices = Math.min(most, sumCount(job), Math.ceil(work / TEN_MILLISECONDS))
  if (slices <= 1) return [job]
  const slice = { ...job, taken: new Int32Array(new SharedArrayBuffer(4)) }
  return Array.from({ length: slices }, () => slice)
}

/** All of it on this thread. */
export function growOnThisThread(job: ForestJob, isCancelled: IsCancelled): ForestGrowth[] {
  return forestSlices(job, 1).map((slice) => growForest(slice, isCancelled))
}

/** The sums that a thread took up and did not bring back. */
export function growMissing(
  job: ForestJob,
  growths: readonly ForestGrowth[],
  isCancelled: IsCancelled,
): ForestGrowth[] {
  const grown = new Set(growths.flatMap(({ firstTrees }) => [...firstTrees]))
  return Array.from({ length: sumCount(job) }, (_, at) => onlySum(job, at))
    .filter(({ treeFrom }) => !grown.has(treeFrom))
    .map((missing) => growForest(missing, isCancelled))
}

function onlySum(job: ForestJob, at: number): ForestJob {
  const { from, to } = sumAt(job, at)
  return { ...job, treeFrom: from, treeTo: to }
}
