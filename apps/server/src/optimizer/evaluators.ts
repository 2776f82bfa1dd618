import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/individual'
import { enqueueJobs } from '../jobs/enqueue-job.ts'
import type { Job } from '../jobs/job.ts'
import type { JobWatch } from '../jobs/job-watch.ts'
import { cancelJob } from '../jobs/own-jobs.ts'
import type { JobStore } from '../jobs/ports.ts'
import { chunkJob, type ChunkResult } from './chunk-job.ts'
import { evaluatePayload } from './evaluate-payload.ts'
import type { Compute, PreparedRun } from './prepared-runs.ts'

interface EvaluationOptions {
  readonly userId: number
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

/** Evaluates individuals, in their order. Who does it, and in which pieces, never shows in the result. */
export type Evaluator = (individuals: readonly Individual[], options: EvaluationOptions) => Promise<Evaluation[]>

/** A piece keeps its thread for about so long. */
const PIECE_MS = 250

interface PieceSize {
  /** A piece is at most this part of what is left: one half of it over as many as do the work. */
  readonly share: number
  /** Milliseconds of one individual, as far as is known. */
  readonly millisEach: number
  readonly leastMs?: number
}

/**
 * Large pieces first, small ones last: few are on their way, and the first thread to end finds something small to do,
 * so that all end at about the same time.
 */
function pieceLength(left: number, { share, millisEach, leastMs = 0 }: PieceSize): number {
  const most = Math.max(1, Math.floor(PIECE_MS / millisEach))
  return Math.min(most, Math.max(Math.ceil(leastMs / millisEach), Math.ceil(share * left)))
}

export function inPieces<Item>(items: readonly Item[], size: PieceSize): Item[][] {
  const pieces: Item[][] = []
  for (let from = 0; from < items.length; from += pieces.at(-1)!.length) {
    pieces.push(items.slice(from, from + pieceLength(items.length - from, size)))
  }
  return pieces
}

/**
 * Those with the most features take longest and come first, so that the wait at the end is short. The
 * evaluations come back in the order of the individuals.
 */
async function longestFirst(
  individuals: readonly Individual[],
  evaluateSorted: (sorted: readonly Individual[]) => Promise<readonly Evaluation[]>,
): Promise<Evaluation[]> {
  const order = individuals.map((_, place) => place)
  order.sort((a, b) => individuals[b]!.genes.length - individuals[a]!.genes.length)
  const found = await evaluateSorted(order.map((place) => individuals[place]!))
  const evaluations = Array.from<Evaluation>({ length: individuals.length })
  order.forEach((place, rank) => (evaluations[place] = found[rank]!))
  return evaluations
}

/** Until the first one is measured. */
const UNKNOWN_MS = PIECE_MS

/** On the threads of this process, in pieces that are sized by what the pieces before them took. */
export function poolEvaluator(compute: Compute, run: PreparedRun): Evaluator {
  let millisEach = UNKNOWN_MS
  const evaluatePiece = async (piece: readonly Individual[], owner: string, signal: AbortSignal) => {
    const payload = evaluatePayload(run, piece)
    const { evaluations, cpuMs } = await compute.run('optimizer/evaluate', payload, { owner, signal })
    millisEach = Math.max(MEASURABLE_MS, cpuMs / piece.length)
    return evaluations
  }
  return (individuals, { userId, signal, onProgress }) =>
    longestFirst(individuals, async (sorted) => {
      const evaluations = Array.from<Evaluation>({ length: sorted.length })
      const failure = new AbortController()
      const either = AbortSignal.any([signal, failure.signal])
      let next = 0
      let done = 0
      const takePieces = async () => {
        while (next < sorted.length) {
          const from = next
          next += pieceLength(sorted.length - from, { share: 0.75 / compute.threads, millisEach })
          const found = await evaluatePiece(sorted.slice(from, next), String(userId), either)
          found.forEach((evaluation, at) => (evaluations[from + at] = evaluation))
          onProgress((done += found.length))
        }
      }
      // One piece more than threads each: the next is at hand when a thread gets free.
      const takers = Array.from({ length: 2 * compute.threads }, () =>
        takePieces().catch((error: unknown) => failure.abort(error)),
      )
      await Promise.all(takers)
      either.throwIfAborted()
      return evaluations
    })
}

interface QueueDeps {
  readonly jobs: JobStore
  readonly watch: Pick<JobWatch, 'result'>
}

/** Until it is known who takes part. */
const ASSUMED_THREADS = 4
/** The way through the queue costs some ten milliseconds; what the last one takes, all the others wait. */
const LEAST_MS = 25
/** The processor's clock is not finer than that. */
const MEASURABLE_MS = 0.01

/** Pieces of an attempt that ended, or whose process died: no attempt waits for them, and others wait behind them. */
export const cancelPieces = ({ jobs }: Pick<QueueDeps, 'jobs'>, runId: number, userId: number): Promise<void> =>
  jobs.cancelAll(userId, chunkJob.kind, String(runId))

/** Lets helping processes compute the columns of a run while they are computed here. */
export async function callHelpers(deps: QueueDeps, runId: number, userId: number): Promise<void> {
  const inputs = Array.from({ length: ASSUMED_THREADS - 1 }, () => ({ runId, individuals: [] }))
  await enqueueJobs(deps, chunkJob, { userId, subject: String(runId), inputs })
}

/** On the threads of every process that takes jobs: each piece is a job, which is redone when its worker dies. */
export function queueEvaluator(deps: QueueDeps, runId: number): Evaluator {
  let millisEach = 20
  let threads = ASSUMED_THREADS
  const evaluateSorted = async (
    individuals: readonly Individual[],
    { userId, signal, onProgress }: EvaluationOptions,
  ): Promise<Evaluation[]> => {
    // Some hold the next piece before they end one: two of the first take no longer than all the others.
    const chunks = inPieces(individuals, { share: 0.6 / threads, millisEach, leastMs: LEAST_MS })
    const seen = new Map<string, number>()
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    let done = 0
    const jobs = await enqueueJobs(deps, chunkJob, {
      userId,
      subject: String(runId),
      inputs: chunks.map((chunk) => ({ runId, individuals: chunk })),
    })
    const evaluationsOf = async ({ id }: Job): Promise<Evaluation[]> => {
      try {
        const { evaluations, cpuMs, process } = (await deps.watch.result(userId, id, either)) as ChunkResult
        seen.set(process.id, process.threads)
        millisEach = Math.max(1, cpuMs / evaluations.length)
        onProgress((done += evaluations.length))
        return evaluations
      } catch (error) {
        failure.abort(error)
        await cancelJob(deps, userId, id)
        throw error
      }
    }
    const ended = await Promise.allSettled(jobs.map(evaluationsOf))
    either.throwIfAborted()
    // A worker that comes later takes one of the smaller pieces, and counts from then on.
    if (seen.size > 0) threads = [...seen.values()].reduce((sum, one) => sum + one, 0)
    return ended.flatMap((chunk) => (chunk.status === 'fulfilled' ? chunk.value : []))
  }
  return (individuals, options) => longestFirst(individuals, (sorted) => evaluateSorted(sorted, options))
}
