import type { LearningJob, LearningOutcome } from '@tradewright/engine/backtest/learner'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { BoostPayload } from '../../src/backtests/boost-task.ts'
import { inTurn, learnerOn } from '../../src/backtests/learner-on.ts'
import type { TaskContext } from '../../src/workers/task.ts'

interface LearnedWindows {
  outcomes: LearningOutcome[]
  /** Per list that was shared with other threads: its task, and how many payloads it had. */
  shared: [task: string, payloads: number][]
  /** Threads of the last group that grew a boosted model. */
  members: number
}

/** Learns windows as a backtest's run does. */
export async function run(
  { choice, jobs }: { choice: ModelChoice; jobs: Omit<LearningJob, 'signal'>[] },
  context: TaskContext,
): Promise<LearnedWindows> {
  const shared: LearnedWindows['shared'] = []
  let members = 0
  const watched: TaskContext = {
    ...context,
    async mapOnThreads(task, payloads, begun) {
      shared.push([task, payloads.length])
      const results = await context.mapOnThreads(task, payloads, begun)
      if (task === 'backtests/boost') members = (payloads[0] as BoostPayload).group!.cells[1]!
      return results
    },
  }
  const signal = {
    get aborted() {
      return context.isCancelled()
    },
  }
  const learn = learnerOn(watched, choice)
  const begun = (count: number) => context.reportProgress(count / jobs.length)
  const signalled = jobs.map((job) => ({ ...job, signal }))
  const outcomes = learn.together ? await learn.together(signalled, begun) : await inTurn(learn, signalled, begun)
  return { outcomes, shared, members }
}
