import type { Column } from '@tradewright/core/column'
import { type CurveMetrics, curveMetrics, type Yardsticks } from './metrics.ts'
import type { Period } from './result.ts'

/** What a run did with one dollar, flows left out, and what it is measured with. */
export interface MeasurableCurve {
  readonly timestamps: Float64Array
  readonly days: Int32Array
  readonly growth: Column
  readonly yardsticks: Yardsticks
}

/** From the first to the last day on which all of them have a bar; undefined with fewer than two such days. */
export function commonPeriod(curves: readonly Pick<MeasurableCurve, 'days'>[]): Period | undefined {
  const [first, ...others] = curves.map(({ days }) => new Set(days))
  const shared = [...(first ?? [])].filter((day) => others.every((days) => days.has(day)))
  const [from, to] = [shared[0], shared.at(-1)]
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}

/** The part of a curve within a period, as if a dollar had been in it from the period's first close on. */
export function curveWithin(curve: MeasurableCurve, { from, to }: Period): MeasurableCurve {
  const { timestamps, days, growth, yardsticks } = curve
  // All bars of the run's first day count, as in its own figures; of a later day its close.
  const start = days[0] === from ? 0 : days.lastIndexOf(from)
  const end = days.lastIndexOf(to) + 1
  // A run that begins here has paid its first costs out of the dollar.
  const base = start === 0 ? 1 : growth[start]!
  return {
    timestamps: timestamps.subarray(start, end),
    days: days.subarray(start, end),
    growth: growth.subarray(start, end).map((value) => value / base),
    yardsticks: { ...yardsticks, riskFree: yardsticks.riskFree?.subarray(start, end - 1) },
  }
}

export const metricsOfCurve = ({ days, growth, yardsticks }: MeasurableCurve): CurveMetrics =>
  curveMetrics(days, growth, yardsticks)
