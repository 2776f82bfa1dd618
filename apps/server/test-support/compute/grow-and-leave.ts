import type { ForestJob } from '@tradewright/engine/models/forest/job'
import { run as grow } from '../../src/backtests/grow-task.ts'
import type { TaskContext } from '../../src/workers/task.ts'

/** As `backtests/grow`, but every thread is called back after its first sum of trees. */
export function run(job: ForestJob, context: TaskContext) {
  let asked = 0
  return grow(job, { ...context, isCalledBack: () => asked++ > 0 })
}
