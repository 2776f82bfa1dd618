import type { SearchData } from '@tradewright/engine/optimizer/search-data'
import type { EvaluationRules } from '@tradewright/engine/optimizer/evaluate'
import type { NestedChoice } from '@tradewright/engine/optimizer/nested-report'
import { reportSearch, type SearchReport } from '@tradewright/engine/optimizer/report'
import type { Generation } from '@tradewright/engine/optimizer/search'
import type { TaskContext } from '../workers/task.ts'

/** A compute task: the winner in full, and how much of it is luck. */
interface ReportPayload {
  readonly searches: readonly SearchData[]
  readonly rules: EvaluationRules
  readonly history: readonly Generation[]
  /** What nested walk-forward chose, where it was asked for. */
  readonly nested: { readonly choices: readonly NestedChoice[]; readonly planned: number } | undefined
}

export function run({ searches, rules, history, nested }: ReportPayload, context: TaskContext): Promise<SearchReport> {
  return reportSearch(searches, rules, history, () => context.isCancelled(), nested)
}
