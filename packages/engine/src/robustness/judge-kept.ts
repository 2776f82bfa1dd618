import { graded, type Grades, type Judgement, unknown } from '../optimizer/verdicts.ts'
import { ratio } from './check.ts'

/** Fractions of the run's Sharpe ratio that a changed run must keep. */
const KEPT_WELL = 0.8
const KEPT_PARTLY = 0.5

/** Judges by how much of the Sharpe ratio is left under other conditions. */
export function judgeKept(base: number | null, changed: number | null, when: string, grades: Grades): Judgement {
  if (base === null || changed === null) return unknown('there is no Sharpe ratio to compare')
  if (base <= 0) return unknown('the strategy itself earned no more than the risk-free return')
  const kept = changed / base
  return {
    ...graded(kept, kept >= KEPT_WELL, kept >= KEPT_PARTLY, grades),
    sentence: `The Sharpe ratio is ${ratio(changed)} ${when}, against ${ratio(base)}.`,
  }
}
