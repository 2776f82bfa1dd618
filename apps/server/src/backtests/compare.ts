import { type YearReturn, yearlyReturns } from '@tradewright/engine/performance/returns'
import { relativeFigures } from '@tradewright/engine/performance/relative-figures'
import { growthOf, livedBars, measurableCurve } from './measurable-curve.ts'
import { compareOnCommonPeriod, type NamedResult } from './common-period.ts'
import type { BacktestReport, Comparison } from './report.ts'
import type { SavedBacktest } from './saved-backtest.ts'

type Result = BacktestReport['result']
type Curve = Pick<Result['curve'], 'timestamps' | 'values'>

/** Puts the curve of a saved backtest on the bars of this run; figures of both are of the days that both have. */
export function compareWith({ id, name, report }: SavedBacktest, own: NamedResult): Comparison {
  const { result } = own
  const { curve } = report.result
  const { period, compared } = compareOnCommonPeriod([own, { name, result: report.result }])
  const windows = result.ml?.walkForward?.windows ?? []
  const length = livedBars(report.result)
  const growth = valuesAt(
    { timestamps: curve.timestamps, values: growthOf(report.result, length) },
    result.curve.timestamps,
  )
  const { days, growth: ownGrowth, yardsticks } = measurableCurve(result)
  return {
    backtestId: id,
    name,
    metrics: compared[1]!.metrics,
    common: { period, ownMetrics: compared[0]!.metrics },
    values: valuesAt(curve, result.curve.timestamps),
    growth,
    relative: relativeFigures({
      days,
      growth: ownGrowth,
      reference: growth.subarray(0, days.length),
      ...yardsticks,
    }),
    annual: { [report.result.settings.adjustInflation ? 'real' : 'nominal']: yearsOf(days, growth) },
    windowValues: windows.map(({ timestamps }) => valuesAt(curve, timestamps)),
  }
}

/** Yearly returns over the bars at which the compared curve has a value. */
function yearsOf(days: Int32Array, growth: Float64Array): YearReturn[] {
  const from = growth.findIndex(Number.isFinite)
  if (from < 0) return []
  const to = growth.findLastIndex(Number.isFinite) + 1
  return yearlyReturns(days.subarray(from, to), growth.subarray(from, to))
}

/** The last value at or before each instant; none before the curve begins or after it ends. Both ascend. */
function valuesAt({ timestamps, values }: Curve, instants: Curve['timestamps']): Float64Array {
  const end = timestamps[timestamps.length - 1] ?? -Infinity
  const found = new Float64Array(instants.length).fill(Number.NaN)
  let row = -1
  for (let at = 0; at < instants.length; at++) {
    const instant = instants[at] ?? Infinity
    if (instant > end) break
    while (row + 1 < timestamps.length && timestamps[row + 1]! <= instant) row += 1
    if (row >= 0) found[at] = values[row] ?? Number.NaN
  }
  return found
}
