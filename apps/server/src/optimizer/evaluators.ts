import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/individual'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import type { JobWatch } from '../jobs/job-watch.ts'
import { cancelJob } from '../jobs/own-jobs.ts'
import type { JobStore } from '../jobs/ports.ts'
import { chunkJob, type ChunkResult } from './chunk-job.ts'
import { evaluatePayload } from './evaluate-payload.ts'
import type { Compute, PreparedRun } from './prepared-runs.ts'

export interface EvaluationOptions {
  readonly userId: number
  readonly signal: AbortSignal
  /** How many are done. */
  readonly onProgress: (done: number) => void
}

/** Evaluates individuals, in their order. Who does it, and in which pieces, never shows in the result. */
export type Evaluator = (individuals: readonly Individual[], options: EvaluationOptions) => Promise<Evaluation[]>

/** Pieces of about the same size. */
export function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / Math.max(1, size))
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count)),
  )
}

/** A thread that is done early finds more to do. */
const CHUNKS_PER_THREAD = 8

/** On the threads of this process. */
export const poolEvaluator =
  (compute: Compute, { request, prepared }: PreparedRun): Evaluator =>
  async (individuals, { userId, signal, onProgress }) => {
    const chunks = inChunks(individuals, Math.ceil(individuals.length / (CHUNKS_PER_THREAD * compute.threads)))
    const payloads = chunks.map((chunk) => evaluatePayload({ request, prepared }, chunk))
    const results = await compute.map('optimizer/evaluate', payloads, {
      owner: String(userId),
      signal,
      onProgress: (fraction) => onProgress(Math.round(fraction * individuals.length)),
    })
    return results.flat()
  }

export interface QueueDeps {
  readonly jobs: JobStore
  readonly watch: Pick<JobWatch, 'result'>
}

/** Long enough that the way through the queue does not matter, short enough that nobody waits for the last one. */
const CHUNK_MS = 250
/** With fewer, some worker may have nothing to do. */
const LEAST_CHUNKS = 8

/** On the threads of every process that takes jobs: each piece is a job, which is redone when its worker dies. */
export function queueEvaluator(deps: QueueDeps, runId: number): Evaluator {
  let millisEach = 20
  return async (individuals, { userId, signal, onProgress }) => {
    const size = Math.min(Math.ceil(CHUNK_MS / millisEach), Math.ceil(individuals.length / LEAST_CHUNKS))
    const chunks = inChunks(individuals, size)
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    let done = 0
    const evaluateChunk = async (chunk: Individual[]): Promise<Evaluation[]> => {
      const { job } = await enqueueJob(deps, chunkJob, {
        userId,
        subject: String(runId),
        input: { runId, individuals: chunk },
      })
      try {
        const { evaluations, millis } = (await deps.watch.result(userId, job.id, either)) as ChunkResult
        millisEach = Math.max(1, millis / chunk.length)
        onProgress((done += chunk.length))
        return evaluations
      } catch (error) {
        failure.abort(error)
        await cancelJob(deps, userId, job.id)
        throw error
      }
    }
    const ended = await Promise.allSettled(chunks.map(evaluateChunk))
    either.throwIfAborted()
    return ended.flatMap((chunk) => (chunk.status === 'fulfilled' ? chunk.value : []))
  }
}
