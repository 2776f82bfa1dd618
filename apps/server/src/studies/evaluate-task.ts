import { evaluateVariant, type VariantResult } from '@tradewright/engine/study/evaluate'
import { variantOf } from '@tradewright/engine/study/plan'
import { Problem } from '@tradewright/core/problem'
import type { TaskContext } from '../workers/task.ts'
import { studyMarketOf } from './study-market.ts'
import type { PreparedStudy } from './study.ts'

/** A compute task: some variants, one after the other. */
interface EvaluatePayload {
  readonly study: PreparedStudy
  readonly cells: readonly number[]
}

interface Evaluated {
  readonly results: VariantResult[]
  /** Processor time of the thread: time in which it stood still costs nothing. */
  readonly cpuMs: number
}

export function run({ study, cells }: EvaluatePayload, context: TaskContext): Evaluated {
  const { plan, market } = studyMarketOf(study)
  const before = process.threadCpuUsage()
  const results = cells.map((cell) => {
    if (context.isCancelled()) throw new Problem('conflict', 'study.cancelled', 'The study was cancelled.')
    return evaluateVariant(market, variantOf(plan, cell))
  })
  const { user, system } = process.threadCpuUsage(before)
  return { results, cpuMs: (user + system) / 1000 }
}
