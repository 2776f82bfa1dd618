import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { sessionBars } from '../calendar/bar-stamps.ts'
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

/**
 * Gaps that are listed for one series, as many as can be read. Most series have fewer, and the count of missing rows is
 * complete.
 */
const MAX_GAPS = 1_000

/** Compares a series with what its calendar expects between its first and last row. The longest gaps are listed. */
export function findGaps(table: SeriesTable): Gaps {
  const { timestamps, type } = table
  if (timestamps.length === 0) return { gaps: [], missingRows: 0, unexpectedRows: 0 }
  const calendar = calendarOf(type)
  const found = compare(calendar ? expectedBars(table, calendar) : expectedObservations(timestamps), timestamps)
  return { ...found, gaps: longest(found.gaps) }
}

function longest(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= MAX_GAPS) return gaps
  return gaps
    .toSorted((a, b) => b.rows - a.rows)
    .slice(0, MAX_GAPS)
    .toSorted((a, b) => a.from - b.from)
}

/** Rows that are expected one after the other. */
interface Expected {
  readonly from: UtcMillis
  readonly last: UtcMillis
  readonly rows: number
}

const one = (stamp: UtcMillis): Expected => ({ from: stamp, last: stamp, rows: 1 })

/** A session without any row is one run: two minute bars a century apart would expect fifty million others. */
function* expectedBars({ timestamps, granularity }: SeriesTable, calendar: TradingCalendar): Generator<Expected> {
  const [first, last] = [timestamps[0]!, timestamps.at(-1)!]
  let row = 0
  for (const day of calendar.sessionsBetween(epochDayOf(first), epochDayOf(last) + 1)) {
    const { first: from, step, count } = sessionBars(calendar, day, granularity)
    const end = from + (count - 1) * step
    while (row < timestamps.length && timestamps[row]! < from) row++
    if (from >= first && timestamps[row]! > end) yield { from, last: end, rows: count }
    else for (let stamp = from; stamp <= end; stamp += step) if (stamp >= first && stamp <= last) yield one(stamp)
  }
}

/** Observations have no closing days that we know of, so only whole periods are missed. */
function* expectedObservations(timestamps: Float64Array): Generator<Expected> {
  const frequency = inferFrequency(timestamps)
  let stamp = timestamps[0]!
  for (const actual of timestamps) {
    // Bank holidays shift and drop daily observations without being gaps.
    if (frequency === 'daily' || frequency === 'weekly') yield one(actual)
    else for (; stamp <= actual; stamp = nextPeriod(stamp, frequency)) yield one(stamp)
  }
}

function compare(expected: Iterable<Expected>, actual: Float64Array): Gaps {
  const gaps: { from: UtcMillis; last: UtcMillis; rows: number }[] = []
  let [row, missingRows, unexpectedRows] = [0, 0, 0]
  let isInGap = false
  for (const { from, last, rows } of expected) {
    for (; row < actual.length && actual[row]! < from; row++) unexpectedRows++
    const isThere = actual[row] === from
    if (isThere) row++
    else {
      missingRows += rows
      const open = gaps.at(-1)
      if (isInGap && open) Object.assign(open, { last, rows: open.rows + rows })
      else gaps.push({ from, last, rows })
    }
    isInGap = !isThere
  }
  return { gaps, missingRows, unexpectedRows: unexpectedRows + actual.length - row }
}
