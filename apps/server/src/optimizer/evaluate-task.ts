import type { SearchData } from '@tradewright/engine/optimizer/search-data'
import { type Evaluation, evaluate, type EvaluationRules } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/request'
import type { TaskContext } from '../workers/task.ts'

/** A compute task: some individuals, one after the other. */
export interface EvaluatePayload {
  /** By target; those that no individual here needs may be absent. */
  readonly searches: readonly (SearchData | undefined)[]
  readonly rules: EvaluationRules
  readonly individuals: readonly Individual[]
}

interface Evaluated {
  readonly evaluations: Evaluation[]
  /** Processor time of the thread: time in which it stood still costs nothing. */
  readonly cpuMs: number
}

export function run({ searches, rules, individuals }: EvaluatePayload, context: TaskContext): Evaluated {
  const before = process.threadCpuUsage()
  const evaluations = individuals.map((individual) =>
    evaluate(searches[individual.target]!, rules, individual, () => context.isCancelled()),
  )
  const { user, system } = process.threadCpuUsage(before)
  return { evaluations, cpuMs: (user + system) / 1000 }
}
