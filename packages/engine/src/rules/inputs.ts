import type { Column } from '@tradewright/core/column'
import type { Granularity } from '@tradewright/core/granularity'
import { epochDayOf } from '@tradewright/core/time'
import { DecisionRows, featureColumn, type SeriesSource } from '../features/feature-matrix.ts'
import type { TradingCalendar } from '../market/trading-calendar.ts'
import { followingDays } from './checks.ts'
import type { Ranking } from './division.ts'
import type { RulesProgram } from './program.ts'

/** The bars that a program is evaluated on. Row t of everything is the same bar. */
export interface RulesInputs {
  /** By feature of the program, as known at the decision of each bar. */
  readonly columns: readonly Column[]
  /** The day of the bar after each bar, by the calendar. */
  readonly followingDays: Int32Array
  readonly days: Int32Array
  readonly barsPerYear: number
  readonly known?: KnownAnswers
}

/** What depends on the columns alone and was computed before, for all bars; programs of a study share it. */
export interface KnownAnswers {
  /** 1 at the bars that have a check. */
  readonly checks: Uint8Array
  /** By condition: its answers by bar (see `answerColumn`), where there are any. */
  readonly answers: readonly (Int8Array | undefined)[]
  /** By sleeve: the order of a pick's members by their scores. */
  readonly rankings: readonly (Ranking | undefined)[]
  /** By bar, a row by ticker: growth from check to check (see `growthRows`). */
  readonly growth: Float64Array
  /** Whether each sleeve drifts between checks (see `sleevesThatDrift`). */
  readonly drifts: readonly boolean[]
}

/** The bars of a run. */
export interface RulesBars {
  readonly timestamps: Float64Array
  /** When the decision of each bar is made. */
  readonly decisionAt: Float64Array
  readonly calendar: TradingCalendar
  readonly granularity: Granularity
  readonly barsPerYear: number
}

/** Every feature of a program at every decision, by the rules of ML strategies. `reached` is called before each feature. */
export function rulesInputs(
  { features }: RulesProgram,
  bars: RulesBars,
  seriesOf: SeriesSource,
  reached: (done: number, total: number) => void = () => undefined,
): RulesInputs {
  const decisions = new DecisionRows(bars.decisionAt)
  return {
    columns: features.map((feature, done) => {
      reached(done, features.length)
      return featureColumn(feature, seriesOf, decisions)
    }),
    ...daysOf(bars),
  }
}

/** What the inputs of all programs on the same bars share. */
export const daysOf = ({
  timestamps,
  calendar,
  granularity,
  barsPerYear,
}: RulesBars): Omit<RulesInputs, 'columns'> => ({
  days: Int32Array.from(timestamps, epochDayOf),
  followingDays: followingDays(timestamps, calendar, granularity),
  barsPerYear,
})
