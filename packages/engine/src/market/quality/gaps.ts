import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { barStamps } from '../calendar/bar-stamps.ts'
import { calendarOf } from '../calendar/calendar-of.ts'
import type { TradingCalendar } from '../calendar/trading-calendar.ts'
import { inferFrequency } from '../known-at.ts'
import type { SeriesTable } from '../series.ts'
import { nextPeriod } from './periods.ts'

/** A run of expected rows that are missing. */
export interface Gap {
  readonly from: UtcMillis
  /** The stamp of the last missing row. */
  readonly last: UtcMillis
  readonly rows: number
}

interface Gaps {
  readonly gaps: readonly Gap[]
  readonly missingRows: number
  readonly unexpectedRows: number
}

/** Compares a series with what its calendar expects between its first and last row. */
export function findGaps(table: SeriesTable): Gaps {
  const { timestamps, type } = table
  if (timestamps.length === 0) return { gaps: [], missingRows: 0, unexpectedRows: 0 }
  const calendar = calendarOf(type)
  return compare(calendar ? expectedBars(table, calendar) : expectedObservations(timestamps), timestamps)
}

function* expectedBars({ timestamps, granularity }: SeriesTable, calendar: TradingCalendar): Generator<UtcMillis> {
  const [first, last] = [timestamps[0]!, timestamps.at(-1)!]
  for (const day of calendar.sessionsBetween(epochDayOf(first), epochDayOf(last) + 1)) {
    for (const stamp of barStamps(calendar, day, granularity)) if (stamp >= first && stamp <= last) yield stamp
  }
}

/** Observations have no closing days that we know of, so only whole periods are missed. */
function* expectedObservations(timestamps: Float64Array): Generator<UtcMillis> {
  const frequency = inferFrequency(timestamps)
  let stamp = timestamps[0]!
  for (const actual of timestamps) {
    // Bank holidays shift and drop daily observations without being gaps.
    if (frequency === 'daily' || frequency === 'weekly') yield actual
    else for (; stamp <= actual; stamp = nextPeriod(stamp, frequency)) yield stamp
  }
}

function compare(expected: Iterable<UtcMillis>, actual: Float64Array): Gaps {
  const gaps: { from: UtcMillis; last: UtcMillis; rows: number }[] = []
  let [row, missingRows, unexpectedRows] = [0, 0, 0]
  let isInGap = false
  for (const stamp of expected) {
    for (; row < actual.length && actual[row]! < stamp; row++) unexpectedRows++
    const isThere = actual[row] === stamp
    if (isThere) row++
    else {
      missingRows++
      const open = gaps.at(-1)
      if (isInGap && open) Object.assign(open, { last: stamp, rows: open.rows + 1 })
      else gaps.push({ from: stamp, last: stamp, rows: 1 })
    }
    isInGap = !isThere
  }
  return { gaps, missingRows, unexpectedRows: unexpectedRows + actual.length - row }
}
