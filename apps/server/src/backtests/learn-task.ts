import type { LearningJob, LearningOutcome } from '@tradewright/engine/backtest/learner'
import { modelLearner } from '@tradewright/engine/backtest/model-learner'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { TaskContext } from '../workers/task.ts'

/** One walk-forward window of a model that learns on one thread. */
export interface LearnPayload {
  readonly choice: ModelChoice
  readonly job: Omit<LearningJob, 'signal'>
}

/** For any thread that has nothing else to do: windows know nothing of each other. */
export const run = ({ choice, job }: LearnPayload, context: TaskContext): Promise<LearningOutcome> =>
  modelLearner(choice)({
    ...job,
    signal: {
      get aborted() {
        return context.isCancelled()
      },
    },
  })
