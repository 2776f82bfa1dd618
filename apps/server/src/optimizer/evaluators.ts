import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/request'
import type { NestedWindow } from '@tradewright/engine/optimizer/nested-report'
import { enqueueJobs } from '../jobs/enqueue-job.ts'
import { ASSUMED_THREADS, type Evaluate, onPool, overQueue, type QueueDeps } from '../jobs/pieces.ts'
import { chunkJob, type ChunkResult } from './chunk-job.ts'
import { evaluatePayload } from './evaluate-payload.ts'
import type { Compute, PreparedRun } from './prepared-runs.ts'

/** Evaluates individuals, in their order. Who does it, and in which pieces, never shows in the result. */
export type Evaluator = Evaluate<Individual, Evaluation>

/**
 * Those with the most features take longest and come first, so that the wait at the end is short. The
 * evaluations come back in the order of the individuals.
 */
const longestFirst =
  (evaluateSorted: Evaluator): Evaluator =>
  async (individuals, options) => {
    const order = individuals.map((_, place) => place)
    order.sort((a, b) => individuals[b]!.genes.length - individuals[a]!.genes.length)
    const found = await evaluateSorted(
      order.map((place) => individuals[place]!),
      options,
    )
    const evaluations = Array.from<Evaluation>({ length: individuals.length })
    order.forEach((place, rank) => (evaluations[place] = found[rank]!))
    return evaluations
  }

/** Evaluates on the threads of this process. */
export const poolEvaluator = (compute: Compute, run: PreparedRun): Evaluator =>
  longestFirst(
    onPool(compute.threads, async (piece, { owner, signal }) => {
      const payload = evaluatePayload(run, piece)
      const { evaluations, cpuMs } = await compute.run('optimizer/evaluate', payload, { owner, signal })
      return { results: evaluations, cpuMs }
    }),
  )

/** Pieces of an attempt that ended, or whose process died: no attempt waits for them, and others wait behind them. */
export const cancelPieces = ({ jobs }: Pick<QueueDeps, 'jobs'>, runId: number, userId: number): Promise<void> =>
  jobs.cancelAll(userId, chunkJob.kind, String(runId))

/** Lets helping processes compute the columns of a run while they are computed here. */
export async function callHelpers(deps: QueueDeps, runId: number, userId: number): Promise<void> {
  const inputs = Array.from({ length: ASSUMED_THREADS - 1 }, () => ({ runId, individuals: [] }))
  await enqueueJobs(deps, chunkJob, { userId, subject: String(runId), inputs })
}

/** On the threads of every process that takes jobs: each piece is a job, which is redone when its worker dies. */
export const queueEvaluator = (deps: QueueDeps, runId: number, window?: NestedWindow): Evaluator =>
  longestFirst(
    overQueue(deps, chunkJob, {
      subject: String(runId),
      inputOf: (individuals) => ({ runId, individuals, window }),
      read: (answer) => {
        const { evaluations, cpuMs, process } = answer as ChunkResult
        return { results: evaluations, cpuMs, process }
      },
    }),
  )
