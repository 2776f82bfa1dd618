import type { Category } from '@tradewright/core/category'
import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { dayStamp, epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { TradingCalendar } from './calendar/trading-calendar.ts'
import type { Rows } from './layers/rows.ts'

type Fold = (soFar: number, next: number) => number

const FIRST: Fold = (soFar) => soFar
const LAST: Fold = (_, next) => next
const SUM: Fold = (soFar, next) => soFar + next

const FOLDS: Readonly<Record<Category, Fold>> = { open: FIRST, high: Math.max, low: Math.min, volume: SUM }

/**
 * Finer bars to coarser ones, cut from the opening of each session: an hour of the exchange begins at half past.
 * A level such as a close or a funding rate keeps its last value; `flows` names further categories that add up.
 */
export function aggregateBars<R extends Rows>(
  fine: R,
  granularity: Granularity,
  calendar: TradingCalendar,
  flows: readonly Category[] = [],
): R {
  const starts = barStarts(fine.timestamps, granularity, calendar)
  const columns = Object.entries(fine.columns).map(([category, column]) => {
    const fold = flows.includes(category) ? SUM : (FOLDS[category] ?? LAST)
    return [category, foldColumn(column, starts.rows, fold)] as const
  })
  return { ...fine, timestamps: Float64Array.from(starts.stamps), columns: Object.fromEntries(columns) }
}

function barStarts(timestamps: Float64Array, granularity: Granularity, calendar: TradingCalendar) {
  const [rows, stamps]: [number[], UtcMillis[]] = [[], []]
  const stampOf = stampRule(granularity, calendar)
  timestamps.forEach((stamp, row) => {
    const bar = stampOf(stamp)
    if (bar === stamps.at(-1)) return
    rows.push(row)
    stamps.push(bar)
  })
  return { rows, stamps }
}

function stampRule(granularity: Granularity, calendar: TradingCalendar): (stamp: UtcMillis) => UtcMillis {
  if (granularity === '1d') return (stamp) => dayStamp(epochDayOf(stamp))
  const step = granularityMillis(granularity)
  return (stamp) => {
    const day = epochDayOf(stamp)
    const open = calendar.isSession(day) ? calendar.openOf(day) : dayStamp(day)
    return open + Math.floor((stamp - open) / step) * step
  }
}

function foldColumn(column: Float64Array, starts: readonly number[], fold: Fold): Float64Array {
  return Float64Array.from(starts, (start, bar) => {
    const end = starts[bar + 1] ?? column.length
    let value = column[start]!
    for (let row = start + 1; row < end; row++) value = fold(value, column[row]!)
    return value
  })
}
