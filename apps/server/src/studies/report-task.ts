import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { reportStudy, type StudyReport } from '@tradewright/engine/study/report'
import { studyMarketOf } from './study-market.ts'
import type { PreparedStudy } from './study.ts'

/** A compute task: the best variant, and how much of it is luck. */
interface ReportPayload {
  readonly study: PreparedStudy
  readonly results: readonly VariantResult[]
}

export function run({ study, results }: ReportPayload): StudyReport {
  const { plan, market } = studyMarketOf(study)
  return reportStudy(plan, market, results)
}
