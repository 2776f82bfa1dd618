import type { ForestJob } from './job.ts'

/** Consecutive trees, [from, to), whose leaf fractions are added up together. */
export interface SummedTrees {
  readonly from: number
  readonly to: number
}

/** Trees times training rows that a thread grows in some ten milliseconds. */
export const TEN_MILLISECONDS = 131_072

/**
 * Trees per sum: fixed by the forest, never by the number of threads, because sums are added up in the order of the trees
 * and their number shows in the last bit. A forest that one thread grows at once has one. Elsewhere they are few enough
 * for threads that share a small forest to end within a millisecond or two of each other.
 */
export function treesPerSum(trainCount: number, trees: number): number {
  const atOnce = Math.max(4, Math.min(128, Math.floor(TEN_MILLISECONDS / trainCount)))
  return trees <= atOnce ? atOnce : Math.min(16, atOnce)
}

export function sumCount({ treeFrom, treeTo, treesPerSum }: ForestJob): number {
  return Math.ceil((treeTo - treeFrom) / treesPerSum)
}

/** The trees of the sum at this place among the sums of a job. */
export function sumAt({ treeFrom, treeTo, treesPerSum }: ForestJob, at: number): SummedTrees {
  const from = treeFrom + at * treesPerSum
  return { from, to: Math.min(from + treesPerSum, treeTo) }
}

/** Is nothing left of what this job shares with others? */
export function isTaken(job: ForestJob): boolean {
  return job.taken !== undefined && Atomics.load(job.taken, 0) >= sumCount(job)
}

export const neverCalledBack = () => false

/**
 * The sums for this thread to grow: all of the job, or of a slice each time the next that no thread has taken yet,
 * until it is called back because other work waits for the thread.
 */
export function* claimSums(job: ForestJob, isCalledBack = neverCalledBack): Generator<SummedTrees> {
  const count = sumCount(job)
  if (job.taken === undefined) {
    for (let at = 0; at < count; at++) yield sumAt(job, at)
    return
  }
  while (!isCalledBack()) {
    const at = Atomics.add(job.taken, 0, 1)
    if (at >= count) return
    yield sumAt(job, at)
  }
}
