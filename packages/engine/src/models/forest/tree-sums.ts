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

/** Of a job's sums the one at this place. */
export function sumAt({ treeFrom, treeTo, treesPerSum }: ForestJob, at: number): SummedTrees {
  const from = treeFrom + at * treesPerSum
  return { from, to: Math.min(from + treesPerSum, treeTo) }
}

export function isTaken(job: ForestJob): boolean {
  return job.taken !== undefined && Atomics.load(job.taken, 0) >= sumCount(job)
}

/** Called back: somebody else waits for the thread, so it leaves what is not begun to those who share the forest. */
export const neverCalledBack = () => false

/** The sums that are this thread's to grow: all of the job, or each time the next that no thread has taken yet. */
export function* takeSums(job: ForestJob, isCalledBack = neverCalledBack): Generator<SummedTrees> {
  const count = sumCount(job)
  let next = 0
  const take = () => (job.taken === undefined ? next++ : Atomics.add(job.taken, 0, 1))
  while (!isCalledBack()) {
    const at = take()
    if (at >= count) return
    yield sumAt(job, at)
  }
}
