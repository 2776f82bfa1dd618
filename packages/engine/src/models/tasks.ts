/**
 * The seam to threads: a task is plain data (shared memory is passed, not copied), and any thread may run it. A fit, or a
 * whole batch of fits, is a list of tasks; what their results join to does not depend on who ran them or when.
 */
import { growBoosting } from './boosting/grow.ts'
import type { BoostingGrowth, BoostingJob } from './boosting/job.ts'
import { type CancelFlag, cancelledProblem, isCancelled } from './cancellation.ts'
import { growForest } from './forest/grow.ts'
import type { ForestGrowth, ForestJob } from './forest/job.ts'

export type ModelTask =
  { readonly kind: 'forest'; readonly job: ForestJob } | { readonly kind: 'boosting'; readonly job: BoostingJob }

export type ModelTaskResult =
  | { readonly kind: 'forest'; readonly growth: ForestGrowth }
  | { readonly kind: 'boosting'; readonly growth: BoostingGrowth }

/** Runs one task on this thread. Looks at the flag every few milliseconds and throws the Problem `model.cancelled`. */
export function runModelTask(task: ModelTask, flag: CancelFlag): ModelTaskResult {
  const stop = () => isCancelled(flag)
  if (stop()) throw cancelledProblem()
  return task.kind === 'forest'
    ? { kind: 'forest', growth: growForest(task.job, stop) }
    : { kind: 'boosting', growth: growBoosting(task.job, stop) }
}
