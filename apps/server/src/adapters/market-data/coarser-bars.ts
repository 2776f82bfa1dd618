import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from '@tradewright/engine/market/calendar/trading-calendar'
import type { SeriesBlock } from '@tradewright/engine/market/series'

type Combine = (column: Float64Array, from: number, to: number) => number

const firstValue: Combine = (column, from, to) => {
  for (let row = from; row < to; row++) if (!Number.isNaN(column[row]!)) return column[row]!
  return Number.NaN
}
const lastValue: Combine = (column, from, to) => {
  for (let row = to - 1; row >= from; row--) if (!Number.isNaN(column[row]!)) return column[row]!
  return Number.NaN
}
/** NaN loses against any number, unlike in Math.max. */
const extreme =
  (isBetter: (a: number, b: number) => boolean): Combine =>
  (column, from, to) => {
    let best = Number.NaN
    for (let row = from; row < to; row++) if (Number.isNaN(best) || isBetter(column[row]!, best)) best = column[row]!
    return best
  }
const sum: Combine = (column, from, to) => {
  let total = Number.NaN
  for (let row = from; row < to; row++) {
    if (!Number.isNaN(column[row]!)) total = (Number.isNaN(total) ? 0 : total) + column[row]!
  }
  return total
}

const COMBINE: Readonly<Record<string, Combine>> = {
  open: firstValue,
  high: extreme((a, b) => a > b),
  low: extreme((a, b) => a < b),
  volume: sum,
}

/** Joins fine bars to coarser ones, for vendors that do not have these or cut them at other minutes than we do. */
export function coarserBars(block: SeriesBlock, granularity: Granularity, calendar: TradingCalendar): SeriesBlock {
  const starts = Float64Array.from(block.timestamps, (stamp) => barStart(stamp, granularity, calendar))
  const firstRows: number[] = []
  for (let row = 0; row < starts.length; row++) if (row === 0 || starts[row] !== starts[row - 1]) firstRows.push(row)
  const join = (category: string, column: Float64Array) => {
    const combine = COMBINE[category] ?? lastValue
    return Float64Array.from(firstRows, (row, i) => combine(column, row, firstRows[i + 1] ?? starts.length))
  }
  return {
    ...block,
    granularity,
    timestamps: Float64Array.from(firstRows, (row) => starts[row]!),
    columns: Object.fromEntries(Object.entries(block.columns).map(([name, column]) => [name, join(name, column)])),
  }
}

/** Bars are counted from the opening of their session, so that hours begin at 9:30 in New York. */
function barStart(stamp: UtcMillis, granularity: Granularity, calendar: TradingCalendar): UtcMillis {
  const step = granularityMillis(granularity)
  const day = epochDayOf(stamp)
  const open = calendar.isSession(day) ? calendar.openOf(day) : 0
  return open + Math.floor((stamp - open) / step) * step
}
