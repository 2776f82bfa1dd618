import type { Arena } from '@tradewright/engine/optimizer/arena'
import { type Evaluation, evaluate, type EvaluationRules } from '@tradewright/engine/optimizer/evaluate'
import type { Individual } from '@tradewright/engine/optimizer/individual'
import type { TaskContext } from '../workers/task.ts'

/** A compute task: some individuals, one after the other. */
export interface EvaluatePayload {
  /** By target; those that nobody here needs may be absent. */
  readonly arenas: readonly (Arena | undefined)[]
  readonly rules: EvaluationRules
  readonly individuals: readonly Individual[]
}

export function run({ arenas, rules, individuals }: EvaluatePayload, context: TaskContext): Evaluation[] {
  return individuals.map((individual) =>
    evaluate(arenas[individual.target]!, rules, individual, () => context.isCancelled()),
  )
}
