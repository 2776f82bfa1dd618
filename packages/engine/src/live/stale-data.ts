import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { DAY, epochDayOf, formatDate, HOUR, type UtcMillis } from '@tradewright/core/time'
import { calendarOf, barKnownAt } from '../market/trading-calendar.ts'
import { sessionsBehind } from '../market/quality/series-quality.ts'
import type { SeriesTable } from '../market/series.ts'

/** An economic series may be published late; a price may not be missing. */
const LATE_PERIODS = 2

/** Why a series is too old to trade by, as a sentence; undefined when it is as new as it can be. */
export function stalenessOf(table: SeriesTable, at: UtcMillis, granularity: Granularity): string | undefined {
  const last = table.timestamps.at(-1)
  if (last === undefined) return `There is no data for ${table.ticker}.`
  const behind = sessionsBehind(table, at)
  const calendar = calendarOf(table.type)
  const told = `The newest data for ${table.ticker} is from ${formatDate(epochDayOf(last))}`
  if (!calendar) return behind > LATE_PERIODS ? `${told}, ${behind} periods behind.` : undefined
  if (granularity === '1d' || table.granularity === '1d') {
    return behind > 0 ? `${told}, ${behind} ${behind === 1 ? 'session' : 'sessions'} behind.` : undefined
  }
  const today = epochDayOf(at)
  const isOpen = calendar.isSession(today) && at > calendar.openOf(today)
  const reference = isOpen ? Math.min(at, calendar.closeOf(today)) : lastClose(calendar, today)
  const age = reference - barKnownAt(calendar, last, granularity)
  const allowed = Math.max(2 * granularityMillis(granularity), HOUR / 2)
  const opened = isOpen ? reference - calendar.openOf(today) : DAY
  // Right after the open the newest bar is of the day before, and that is as it should be.
  return age > allowed && opened > allowed ? `${told}, ${Math.round(age / 60_000)} minutes behind.` : undefined
}

function lastClose(calendar: NonNullable<ReturnType<typeof calendarOf>>, day: number): UtcMillis {
  return calendar.closeOf(calendar.previousSession(day))
}
