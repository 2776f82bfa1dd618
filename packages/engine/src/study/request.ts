import type { NumberRange } from '@tradewright/core/rules/numbers'
import type { StudyMeasure, StudyMethod } from '@tradewright/core/rules/study'
import type { BacktestSettings, RulesStrategy } from '../backtest/request.ts'

/** The backtest of a rule strategy, many times, each time with other numbers. */
export interface StudyRequest {
  readonly backtest: BacktestSettings & { readonly strategy: RulesStrategy }
  readonly numbers: readonly NumberRange[]
  readonly method: StudyMethod
  /** Trials of a random search. */
  readonly count: number
  readonly seed: number
  /** The last part of the bars, which the choice of the best never sees. */
  readonly holdOutPct: number
  readonly measure: StudyMeasure
}
