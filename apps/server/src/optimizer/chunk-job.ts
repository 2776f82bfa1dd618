import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/individual'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { defineJobKind } from '../jobs/job-kind.ts'
import { evaluatePayload } from './evaluate-payload.ts'
import type { Compute, PreparedRuns } from './prepared-runs.ts'

/**
 * Some individuals of one run: what is lost when a worker dies. With none of them, the worker prepares the columns for
 * more.
 */
export const chunkJob = {
  kind: 'optimizer-chunk',
  input: z.object({
    runId: z.int(),
    individuals: z.custom<readonly Individual[]>((value) => Array.isArray(value)),
    /** Of nested walk-forward; left out: the run's own search. */
    window: z.object({ from: z.int(), to: z.int() }).optional(),
  }),
} as const

export interface ChunkResult {
  readonly evaluations: Evaluation[]
  readonly cpuMs: number
  /** The process that did it, and on how many threads it does chunks side by side. */
  readonly process: { readonly id: string; readonly threads: number }
}

interface ChunkJobDeps {
  readonly compute: Compute
  readonly preparedRuns: PreparedRuns
}

export function chunkJobKind({ compute, preparedRuns }: ChunkJobDeps) {
  const process = { id: randomUUID(), threads: compute.threads }
  return defineJobKind({
    ...chunkJob,
    // One more than there are threads: the next is at hand when a thread gets free.
    concurrency: compute.threads + 1,
    concurrencyPerUser: compute.threads + 1,
    async run({ userId, signal }, { runId, individuals, window }): Promise<ChunkResult> {
      const run = await preparedRuns.get({ runId, window }, userId)
      signal.throwIfAborted()
      if (individuals.length === 0) return { evaluations: [], cpuMs: 0, process }
      const payload = evaluatePayload(run, individuals)
      return { ...(await compute.run('optimizer/evaluate', payload, { owner: String(userId), signal })), process }
    },
  })
}
