import { growForest } from '@tradewright/engine/models/forest/fit'
import type { ForestGrowth, ForestJob } from '@tradewright/engine/models/forest/job'
import type { TaskContext } from '../workers/task.ts'

/** A share in a forest, for any thread that has nothing else to do, until other work waits for it. */
export const run = (job: ForestJob, context: TaskContext): ForestGrowth =>
  growForest(
    job,
    () => context.isCancelled(),
    () => context.isCalledBack(),
  )
