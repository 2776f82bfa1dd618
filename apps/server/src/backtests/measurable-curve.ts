import { nyse, type TradingCalendar, crypto } from '@tradewright/engine/market/trading-calendar'
import type { MeasurableCurve } from '@tradewright/engine/backtest/compare'
import { NO_RISK_FREE } from '@tradewright/engine/backtest/risk-free'
import { notAvailable } from '@tradewright/engine/performance/figure'
import { periodsPerYear } from '@tradewright/engine/market/known-at'
import type { BacktestReport } from './report.ts'

type Result = BacktestReport['result']

/** The curve of a stored result, as the figures of any part of it are computed from. */
export function measurableCurve(result: Result): MeasurableCurve {
  const { curve, settings } = result
  const length = livedBars(result)
  const days = Int32Array.from({ length }, (_, bar) => curve.days[bar]!)
  return {
    timestamps: Float64Array.from({ length }, (_, bar) => curve.timestamps[bar]!),
    days,
    growth: growthOf(result, length),
    yardsticks: {
      barsPerYear: periodsPerYear(calendarOfCurve(days), settings.granularity, days),
      riskFree: riskFreeOf(curve.riskFree, length - 1),
    },
  }
}

/** Bars on a day that is no session of an exchange are those of a market that never closes. */
export const calendarOfCurve = (days: ArrayLike<number | null>): TradingCalendar =>
  Array.from(days).some((day) => day !== null && !nyse.isSession(day)) ? crypto : nyse

/** The parts of a result that its growth is computed from. */
interface GrowthParts {
  readonly curve: Pick<Result['curve'], 'days' | 'values' | 'nominalValues' | 'flows'>
  readonly settings: Pick<Result['settings'], 'startValue'>
  readonly wipedOut?: Result['wipedOut'] | null
}

/** What comes after the last dollar was withdrawn is no performance. */
export function livedBars({ curve, wipedOut }: GrowthParts): number {
  const { length } = curve.days
  if (wipedOut?.by !== 'withdrawal') return length
  const last = Array.from(curve.days).lastIndexOf(wipedOut.day)
  return last < 0 ? length : last + 1
}

/** What one dollar became: flows come at the close, after the bar's growth (`trading/simulation.ts`). */
export function growthOf({ curve, settings }: GrowthParts, length: number): Float64Array {
  const growth = new Float64Array(length)
  let nominal = 1
  let before = settings.startValue
  // The price level of the last bar with a value: a value of nothing has none.
  let inDollarsOfStart = 1
  for (let bar = 0; bar < length; bar++) {
    const value = curve.nominalValues[bar] ?? 0
    if (before > 0) nominal = Math.max(0, nominal * ((value - (curve.flows[bar] ?? 0)) / before))
    before = value
    if (value > 0) inDollarsOfStart = (curve.values[bar] ?? 0) / value
    growth[bar] = nominal * inDollarsOfStart
  }
  return growth
}

const riskFreeOf = (stored: ArrayLike<number | null> | undefined, length: number): Float64Array | undefined =>
  stored && Float64Array.from({ length: Math.max(0, length) }, (_, step) => stored[step] ?? 0)

/** Results that were saved before these returns were kept do not say what was free of risk on each of their bars. */
export const hasRiskFree = ({ curve, riskFree }: Result): boolean =>
  curve.riskFree !== undefined || riskFree === NO_RISK_FREE

export const WITHOUT_RISK_FREE = notAvailable(
  'the result was saved without the risk-free return of each day; run it again',
)
