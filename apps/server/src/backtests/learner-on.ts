import { shared } from '@tradewright/core/shared-columns'
import type { Learner, LearningJob, LearningOutcome, LearnTogether } from '@tradewright/engine/backtest/learner'
import { modelLearner } from '@tradewright/engine/backtest/model-learner'
import { growBoosting } from '@tradewright/engine/models/boosting/grow'
import { definitionOf, settingsOf } from '@tradewright/engine/models/catalogue'
import { growForest, forestSlices, growMissing } from '@tradewright/engine/models/forest/fit'
import type { ForestGrowth } from '@tradewright/engine/models/forest/job'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { GrowBoosted, GrowForest } from '@tradewright/engine/models/model'
import { boostingTasks, type ModelTaskResult } from '@tradewright/engine/models/tasks'
import type { TaskContext } from '../workers/task.ts'
import type { LearnPayload } from './learn-task.ts'

/**
 * A learner of a task: beside its own thread it uses those that have nothing else to do. Parts of a forest go to any of
 * them; of other models one window goes to each, or all of them to each window of a large boosted model in its turn.
 */
export function learnerOn(context: TaskContext, choice: ModelChoice): Learner {
  const growers = { growForest: growForestOn(context), growBoosted: growBoostedOn(context) }
  const learn = modelLearner(choice, growers)
  const windowsSideBySide = learnOn(context, choice)
  const together: LearnTogether = (jobs, begun) =>
    wantsAllThreads(context, choice, jobs) ? inTurn(learn, jobs, begun) : windowsSideBySide(jobs, begun)
  return modelLearner(choice, { ...growers, together })
}

/** Fewer windows than threads, each of them large enough for all. */
function wantsAllThreads({ threads }: TaskContext, choice: ModelChoice, jobs: readonly LearningJob[]): boolean {
  const definition = definitionOf(choice.kind)
  if (jobs.length >= threads) return false
  return jobs.every((job) => definition.isWorthAllThreads?.(job, settingsOf(choice), threads) ?? false)
}

/** Learns one job after the other. */
export async function inTurn(learn: Learner, jobs: readonly LearningJob[], begun: (count: number) => void) {
  const outcomes: LearningOutcome[] = []
  for (const job of jobs) {
    begun(outcomes.length + 1)
    outcomes.push(await learn(job))
  }
  return outcomes
}

/** Twice as many slices as threads: one that was called back may come again. */
const growForestOn =
  (context: TaskContext): GrowForest =>
  async (job, isCancelled) => {
    const slices = forestSlices(job, 2 * context.threads)
    if (slices.length === 1) return [growForest(job, isCancelled)]
    const growths = (await context.mapOnThreads('backtests/grow', slices)) as ForestGrowth[]
    return [...growths, ...growMissing(job, growths, isCancelled)]
  }

const growBoostedOn =
  (context: TaskContext): GrowBoosted =>
  async (job, isCancelled) => {
    const tasks = boostingTasks(job, context.threads)
    if (tasks.length === 1) return growBoosting(job, isCancelled)
    const results = (await context.mapOnThreads('backtests/boost', tasks)) as ModelTaskResult[]
    const fit = results.find((result) => result.kind === 'boosting')
    if (!fit) throw new Error('the boosted model was not grown')
    return fit.growth
  }

const learnOn =
  (context: TaskContext, choice: ModelChoice): LearnTogether =>
  async (jobs, begun) =>
    (await context.mapOnThreads('backtests/learn', sharedJobs(choice, jobs), begun)) as LearningOutcome[]

/** Jobs that travel between threads: the columns, which all of them have in common, on memory that need not be copied. */
function sharedJobs(choice: ModelChoice, jobs: readonly LearningJob[]): LearnPayload[] {
  const columns = (jobs[0]?.columns ?? []).map((column) => shared(column))
  return jobs.map(({ labels, trainRows, predictRows, seed, wantsImportances }) => ({
    choice,
    job: { columns, labels, trainRows, predictRows, seed, wantsImportances },
  }))
}
