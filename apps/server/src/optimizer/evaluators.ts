import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual, SearchRequest } from '@tradewright/engine/optimizer/request'
import { type NestedWindow, nestedRequest } from '@tradewright/engine/optimizer/nested-report'
import { z } from 'zod'
import { rulesOf } from '@tradewright/engine/optimizer/search'
import { Problem } from '@tradewright/core/problem'
import type { PreparedSearch } from '@tradewright/engine/optimizer/prepare'
import { enqueueJobs } from '../jobs/job-watch.ts'
import {
  ASSUMED_THREADS,
  type Evaluate,
  onPool,
  overQueue,
  type QueueDeps,
  type PieceAnswer,
  pieceSettings,
  Prepared,
} from '../jobs/pieces.ts'
import { defineJobKind } from '../jobs/job.ts'
import type { EvaluatePayload } from './evaluate-task.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { RunWorkStore } from './run.ts'

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

/**
 * Some individuals of one run: what is lost when a worker dies. With none of them, the worker prepares the columns for
 * more.
 */
export const chunkJob = {
  kind: 'optimizer-chunk',
  input: z.object({
    runId: z.int(),
    individuals: z.custom<readonly Individual[]>((value) => Array.isArray(value)),
    /** The window of a nested walk-forward; left out: the run's own search. */
    window: z.object({ from: z.int(), to: z.int() }).optional(),
  }),
} as const

interface ChunkResult extends PieceAnswer {
  readonly evaluations: Evaluation[]
}

interface ChunkJobDeps {
  readonly compute: Compute
  readonly preparedRuns: PreparedRuns
}

export function chunkJobKind({ compute, preparedRuns }: ChunkJobDeps) {
  const { process, limits } = pieceSettings(compute.threads)
  return defineJobKind({
    ...chunkJob,
    ...limits,
    async run({ userId, signal }, { runId, individuals, window }): Promise<ChunkResult> {
      const run = await preparedRuns.get({ runId, window }, userId)
      signal.throwIfAborted()
      if (individuals.length === 0) return { evaluations: [], cpuMs: 0, process }
      const payload = evaluatePayload(run, individuals)
      return { ...(await compute.run('optimizer/evaluate', payload, { owner: String(userId), signal })), process }
    },
  })
}

/** A thread's input for these individuals; columns are shared, not copied. */
function evaluatePayload({ request, prepared }: PreparedRun, individuals: readonly Individual[]): EvaluatePayload {
  const used = new Set(individuals.map(({ target }) => target))
  return {
    searches: prepared.searches.map((searchData) => (used.has(searchData.target) ? searchData : undefined)),
    rules: rulesOf({ request }),
    individuals,
  }
}

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

export interface PreparedRun {
  readonly request: SearchRequest
  readonly prepared: PreparedSearch
}

/** A run's own search, or the one before a window of nested walk-forward. */
interface SearchOfRun {
  readonly runId: number
  readonly window?: NestedWindow | undefined
}

const keyOf = ({ runId, window }: SearchOfRun): string => JSON.stringify({ runId, window })

/** The columns of the searches that this process works on, computed once for all its threads. */
export class PreparedRuns {
  readonly #searches: Prepared<string, PreparedRun>

  constructor(work: RunWorkStore, compute: Compute) {
    this.#searches = new Prepared(async (key, userId) => {
      const { runId, window } = JSON.parse(key) as SearchOfRun
      const [asked, data] = await Promise.all([work.request(runId), work.data(runId)])
      if (!asked || !data) throw new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
      const request = window ? nestedRequest(asked, window) : asked
      const prepared = await compute.run('optimizer/prepare', { request, data }, { owner: String(userId) })
      return { request, prepared }
    })
  }

  get(search: SearchOfRun, userId: number): Promise<PreparedRun> {
    return this.#searches.get(keyOf(search), userId)
  }

  forget(search: SearchOfRun): void {
    this.#searches.forget(keyOf(search))
  }
}
