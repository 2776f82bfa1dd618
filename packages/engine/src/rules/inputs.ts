import type { Granularity } from '@tradewright/core/granularity'
import { epochDayOf } from '@tradewright/core/time'
import { DecisionRows, featureColumn, type SeriesSource } from '../features/feature-matrix.ts'
import type { TradingCalendar } from '../market/calendar/trading-calendar.ts'
import { followingDays } from './checks.ts'
import type { RulesInputs } from './evaluator.ts'
import type { RulesProgram } from './program.ts'

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
