import { Problem } from '@tradewright/core/problem'
import type { BoardPart } from '@tradewright/engine/robustness/board'
import type { BoardMaterial } from '@tradewright/engine/robustness/material'
import { deserialize, serialize } from 'node:v8'
import { z } from 'zod'
import { defineJobKind } from '../../jobs/job.ts'
import {
  type Evaluate,
  onPool,
  overQueue,
  type PieceAnswer,
  pieceSettings,
  type QueueDeps,
  Prepared,
} from '../../jobs/pieces.ts'
import type { ComputePool } from '../../workers/compute-pool.ts'
import type { tasks } from '../../workers/tasks.ts'
import type { BoardWorkStore } from '../ports.ts'

export type BoardCompute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

/** Some parts of one board: what is lost when a worker dies. */
export const boardPieceJob = {
  kind: 'robustness-piece',
  input: z.object({
    workId: z.uuid(),
    parts: z.array(z.object({ key: z.string(), part: z.int(), seed: z.number() })),
  }),
} as const

interface PieceResult extends PieceAnswer {
  /** Columns and missing values as they are, which JSON has not: bytes in base64. */
  readonly packed: string
}

interface PieceDeps {
  readonly compute: BoardCompute
  readonly work: BoardWorkStore
}

export function boardPieceJobKind({ compute, work }: PieceDeps) {
  const { process, limits } = pieceSettings(compute.threads)
  const materials = new Prepared<string, BoardMaterial>(async (workId, userId) => {
    const packed = await work.material(workId)
    if (!packed) throw new Problem('missing', 'robustness.missing', 'These checks have ended.')
    return compute.run('backtests/robustness-unpack', packed, { owner: String(userId) })
  })
  return defineJobKind({
    ...boardPieceJob,
    ...limits,
    async run({ userId, signal }, { workId, parts }): Promise<PieceResult> {
      const material = await materials.get(workId, userId)
      signal.throwIfAborted()
      const options = { owner: String(userId), signal }
      const { results, cpuMs } = await compute.run('backtests/robustness-parts', { material, parts }, options)
      return { packed: serialize(results).toString('base64'), cpuMs, process }
    },
  })
}

/** Runs parts of a board, in their order. The processes that run them, and in which pieces, never show in the result. */
export type PartsEvaluator = Evaluate<BoardPart, unknown>

/** On the threads of this process. */
export const poolParts = (compute: BoardCompute, material: BoardMaterial): PartsEvaluator =>
  onPool(compute.threads, (parts, options) => compute.run('backtests/robustness-parts', { material, parts }, options))

/** A part may take this long, so that each is a piece of its own. */
const PART_MS = 250

/** On the threads of every process that takes jobs. */
export const queueParts = (deps: QueueDeps, workId: string, backtestId: number): PartsEvaluator =>
  overQueue(deps, boardPieceJob, {
    subject: String(backtestId),
    inputOf: (parts) => ({ workId, parts: [...parts] }),
    assumedMs: PART_MS,
    read: (answer) => {
      const { packed, ...rest } = answer as PieceResult
      return { ...rest, results: deserialize(Buffer.from(packed, 'base64')) as unknown[] }
    },
  })
