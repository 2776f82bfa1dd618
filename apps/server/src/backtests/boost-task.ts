import { growBoosting, helpBoosting } from '@tradewright/engine/models/boosting/grow'
import type { ModelTask, ModelTaskResult } from '@tradewright/engine/models/tasks'
import type { TaskContext } from '../workers/task.ts'

export type BoostPayload = Exclude<ModelTask, { kind: 'forest' }>

/**
 * A large boosted model, or help for the thread that grows it, until it is grown or until other work waits for this
 * thread.
 */
export function run(task: BoostPayload, context: TaskContext): ModelTaskResult {
  const isCancelled = () => context.isCancelled()
  if (task.kind === 'boosting') return { kind: 'boosting', growth: growBoosting(task.job, isCancelled, task.group) }
  helpBoosting(task.job, task.group, isCancelled, () => context.isCalledBack())
  return { kind: 'boosting-help' }
}
