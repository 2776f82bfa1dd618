import type { Individual } from '@tradewright/engine/optimizer/request'
import { rulesOf } from '@tradewright/engine/optimizer/search'
import type { EvaluatePayload } from './evaluate-task.ts'
import type { PreparedRun } from './prepared-runs.ts'

/** A thread's input for these individuals; columns are shared, not copied. */
export function evaluatePayload(
  { request, prepared }: PreparedRun,
  individuals: readonly Individual[],
): EvaluatePayload {
  const used = new Set(individuals.map(({ target }) => target))
  return {
    searches: prepared.searches.map((searchData) => (used.has(searchData.target) ? searchData : undefined)),
    rules: rulesOf({ request }),
    individuals,
  }
}
