/**
 * The seam to threads: a task is plain data (shared memory is passed, not copied), and any thread may run it. A fit, or a
 * whole batch of fits, is a list of tasks; what their results join to does not depend on who ran them or when.
 */
import { growBoosting, helpBoosting } from './boosting/grow.ts'
import type { BoostingGrowth, BoostingJob } from './boosting/booster.ts'
import { type BoostingThreads, newThreadGroup, worthwhileThreads } from './boosting/thread-group.ts'
import { type CancelFlag, cancelledProblem, isCancelled } from './cancellation.ts'
import { growForest, forestSlices } from './forest/fit.ts'
import type { ForestGrowth, ForestJob } from './forest/job.ts'

export type ModelTask =
  | { readonly kind: 'forest'; readonly job: ForestJob }
  | { readonly kind: 'boosting'; readonly job: BoostingJob; readonly group?: BoostingThreads }
  | { readonly kind: 'boosting-help'; readonly job: BoostingJob; readonly group: BoostingThreads }

export type ModelTaskResult =
  | { readonly kind: 'forest'; readonly growth: ForestGrowth }
  | { readonly kind: 'boosting'; readonly growth: BoostingGrowth }
  | { readonly kind: 'boosting-help' }

/** A forest as tasks, for so many threads. */
export function forestTasks(job: ForestJob, threads: number): ModelTask[] {
  return forestSlices(job, threads).map((slice) => ({ kind: 'forest', job: slice }))
}

/**
 * A boosted model as tasks: the fit itself, whose result is the model, and help for it where more threads pay. Help that is
 * taken up late, or never, changes nothing.
 */
export function boostingTasks(job: BoostingJob, threads: number): ModelTask[] {
  const worthwhile = worthwhileThreads(job, threads)
  if (worthwhile === 1) return [{ kind: 'boosting', job }]
  const group = newThreadGroup(job, worthwhile)
  const help: ModelTask = { kind: 'boosting-help', job, group }
  return [{ kind: 'boosting', job, group }, ...Array.from({ length: worthwhile - 1 }, () => help)]
}

/** Runs one task on this thread. Polls the flag every few milliseconds and throws the Problem `model.cancelled`. */
export function runModelTask(task: ModelTask, flag: CancelFlag): ModelTaskResult {
  const stop = () => isCancelled(flag)
  if (stop()) throw cancelledProblem()
  if (task.kind === 'forest') return { kind: 'forest', growth: growForest(task.job, stop) }
  if (task.kind === 'boosting') return { kind: 'boosting', growth: growBoosting(task.job, stop, task.group) }
  helpBoosting(task.job, task.group, stop)
  return { kind: 'boosting-help' }
}
