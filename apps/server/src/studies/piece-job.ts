import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { z } from 'zod'
import { defineJobKind } from '../jobs/job-kind.ts'
import { type Evaluate, onPool, overQueue, type PieceAnswer, pieceSettings, type QueueDeps } from '../jobs/pieces.ts'
import type { Compute, PreparedStudies, PreparedStudy } from './prepared-studies.ts'

/** Some variants of one study: what is lost when a worker dies. */
export const pieceJob = {
  kind: 'parameter-study-piece',
  input: z.object({ studyId: z.int(), cells: z.array(z.int()) }),
} as const

interface PieceResult extends PieceAnswer {
  readonly results: VariantResult[]
}

export function pieceJobKind({ compute, prepared }: { compute: Compute; prepared: PreparedStudies }) {
  const { process, limits } = pieceSettings(compute.threads)
  return defineJobKind({
    ...pieceJob,
    ...limits,
    async run({ userId, signal }, { studyId, cells }): Promise<PieceResult> {
      const study = await prepared.get(studyId, userId)
      signal.throwIfAborted()
      return {
        ...(await compute.run('studies/evaluate', { study, cells }, { owner: String(userId), signal })),
        process,
      }
    },
  })
}

/** Evaluates variants by their cells, in their order. Who does it, and in which pieces, never shows in the result. */
export type VariantEvaluator = Evaluate<number, VariantResult>

/** Evaluates on the threads of this process. */
export const poolVariants = (compute: Compute, study: PreparedStudy): VariantEvaluator =>
  onPool(compute.threads, (cells, options) => compute.run('studies/evaluate', { study, cells }, options))

/** Evaluates on the threads of every process that takes jobs. */
export const queueVariants = (deps: QueueDeps, studyId: number): VariantEvaluator =>
  overQueue(deps, pieceJob, {
    subject: String(studyId),
    inputOf: (cells) => ({ studyId, cells: [...cells] }),
    read: (answer) => answer as PieceResult,
  })

/** Pieces of an attempt that ended, or whose process died: no attempt waits for them, and others wait behind them. */
export const cancelPieces = ({ jobs }: Pick<QueueDeps, 'jobs'>, studyId: number, userId: number): Promise<void> =>
  jobs.cancelAll(userId, pieceJob.kind, String(studyId))
