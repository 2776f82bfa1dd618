import type { WalkForwardWindow } from '@tradewright/contract/backtest-walk-forward'
import type { TimeChartLines, TimePoint } from '../../../../ui/chart/draw-chart.ts'
import { downsampledRows } from '../../../../ui/chart/downsampled-rows.ts'
import type { TimeMark } from '../../../../ui/chart/time-chart.tsx'
import type { CurveView } from '../view.ts'

export const SYNTHETIC_WATERMARK = 'Synthetic sample data'

/** Several points for each pixel of the widest chart. */
const MAX_POINTS = 3_000

type Values = readonly (number | null)[]

interface ChartChoice {
  isSynthetic: boolean
  isLogScale: boolean
}

/** The chart's lines of a view. They share their dates, so they are drawn at the same ones. */
export function linesOf(view: CurveView, { isSynthetic, isLogScale }: ChartChoice): TimeChartLines {
  const { dates, values, reference, drawdowns } = view
  const columns = [values, reference, drawdowns].filter((column) => column !== null)
  const rows = downsampledRows(columns, dates.length, MAX_POINTS)
  return {
    strategy: pointsAt(rows, dates, values),
    reference: reference && pointsAt(rows, dates, reference),
    drawdown: drawdowns && pointsAt(rows, dates, drawdowns),
    startValue: view.startValue,
    watermark: isSynthetic ? SYNTHETIC_WATERMARK : null,
    isLogScale,
  }
}

export const pointsOf = (dates: readonly string[], values: Values): TimePoint[] =>
  pointsAt(downsampledRows([values], dates.length, MAX_POINTS), dates, values)

/** The chart wants ascending times without doubles; the last value of a double counts. */
function pointsAt(rows: readonly number[], dates: readonly string[], values: Values): TimePoint[] {
  const points = rows.map((row) => ({ time: secondsOf(dates[row]!), value: values[row] ?? null }))
  if (points.every(({ time }, i) => i === 0 || time > points[i - 1]!.time)) return points
  const byTime = new Map(points.map(({ time, value }) => [time, value]))
  return [...byTime].sort(([a], [b]) => a - b).map(([time, value]) => ({ time, value }))
}

/** Where a time stands among ascending dates; -1 where it does not. */
export function positionAt(dates: readonly string[], time: number): number {
  let from = 0
  let to = dates.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (secondsOf(dates[middle]!) < time) from = middle + 1
    else to = middle
  }
  return from < dates.length && secondsOf(dates[from]!) === time ? from : -1
}

const secondsOf = (date: string): number => Math.floor(Date.parse(date) / 1000)

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
