import type { StudyRequest } from '@tradewright/contract/studies'
import type { UtcMillis } from '@tradewright/core/time'
import type { z } from 'zod'
import { plannedStudy, studySettingsOf } from '../../studies/study-job.ts'
import type { StudySettings } from '../../studies/study.ts'
import { toDomain } from '../backtests/form.ts'

interface Sent {
  readonly body: z.output<typeof StudyRequest>
  readonly now: UtcMillis
}

/** A compute task: reads the body of a study and plans it; a Problem says in a sentence which field is wrong. */
export function run({ body, now }: Sent): StudySettings {
  const { backtest, hold_out_pct: holdOutPct, ...choices } = body
  const settings = studySettingsOf(toDomain(backtest).run, { ...choices, holdOutPct })
  return plannedStudy(settings, { now: () => new Date(now) })
}
