import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/request'
import { z } from 'zod'
import { defineJobKind } from '../jobs/job-kind.ts'
import { type PieceAnswer, pieceSettings } from '../jobs/pieces.ts'
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
    /** The window of a nested walk-forward; left out: the run's own search. */
    window: z.object({ from: z.int(), to: z.int() }).optional(),
  }),
} as const

export interface ChunkResult extends PieceAnswer {
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
