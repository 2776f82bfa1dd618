import type { TimeChartLines, TimePoint } from '../../../ui/draw-time-chart.ts'
import type { TimeMark } from '../../../ui/time-chart.tsx'
import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import type { CurveView } from './view.ts'

export const SYNTHETIC_WATERMARK = 'Synthetic sample data'

interface ChartChoice {
  isSynthetic: boolean
  isLogScale: boolean
}

/** What the chart draws of a view. */
export function linesOf(view: CurveView, { isSynthetic, isLogScale }: ChartChoice): TimeChartLines {
  return {
    strategy: pointsOf(view.dates, view.values),
    reference: view.reference && pointsOf(view.dates, view.reference),
    drawdown: view.drawdowns && pointsOf(view.dates, view.drawdowns),
    startValue: view.startValue,
    watermark: isSynthetic ? SYNTHETIC_WATERMARK : null,
    isLogScale,
  }
}

/** The chart wants ascending times without doubles; the last value of a double counts. */
export function pointsOf(dates: readonly string[], values: readonly (number | null)[]): TimePoint[] {
  const times = timesOf(dates)
  if (isAscending(times)) return times.map((time, index) => ({ time, value: values[index] ?? null }))
  const byTime = new Map(times.map((time, index) => [time, values[index] ?? null]))
  return [...byTime].sort(([a], [b]) => a - b).map(([time, value]) => ({ time, value }))
}

const isAscending = (times: readonly number[]): boolean => times.every((time, i) => i === 0 || time > times[i - 1]!)

const known = new WeakMap<readonly string[], readonly number[]>()

/** Reading a hundred thousand dates takes a while, and several lines share them. */
function timesOf(dates: readonly string[]): readonly number[] {
  const times = known.get(dates) ?? dates.map(secondsOf)
  known.set(dates, times)
  return times
}

/** Where a time stands among the dates; -1 where it does not. */
export const positionAt = (dates: readonly string[], time: number): number => timesOf(dates).indexOf(time)

export const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000)

/** Where each window's test begins. Overlapping windows would fill the plot, so past twelve only some are marked. */
export function windowMarks(windows: readonly WalkForwardWindow[]): TimeMark[] {
  const every = Math.ceil(windows.length / 12)
  return windows
    .filter((_, index) => index % every === 0)
    .flatMap(({ window_num, dates }) => {
      const first = dates[0]
      return first === undefined ? [] : [{ time: secondsOf(first), label: `W${window_num}` }]
    })
}
