import type { StudyRequest } from '@tradewright/contract/studies'
import type { z } from 'zod'
import { studySettingsOf } from '../../studies/own-studies.ts'
import { toDomain as backtestToDomain } from '../backtests/form.ts'

/** Reads the body of a study; a Problem says in a sentence which field is wrong. */
export const toDomain = ({ backtest, hold_out_pct: holdOutPct, ...choices }: z.output<typeof StudyRequest>) =>
  studySettingsOf(backtestToDomain(backtest).run, { ...choices, holdOutPct })
