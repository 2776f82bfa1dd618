import type { EvaluationRules } from '@tradewright/engine/optimizer/evaluate'
import { chooseForWindow, type NestedChoice, type NestedWindow } from '@tradewright/engine/optimizer/nested-report'
import type { SearchData } from '@tradewright/engine/optimizer/search-data'
import type { Generation } from '@tradewright/engine/optimizer/search'
import type { TaskContext } from '../workers/task.ts'

/** A compute task: the winner of the search before a nested window, and what it predicts in the window. */
interface ChoosePayload {
  /** The searches before the window, one for each target. */
  readonly searches: readonly SearchData[]
  readonly rules: EvaluationRules
  readonly history: readonly Generation[]
  readonly window: NestedWindow
}

export function run({ searches, rules, history, window }: ChoosePayload, context: TaskContext): Promise<NestedChoice> {
  return chooseForWindow(searches, rules, history, window, () => context.isCancelled())
}
