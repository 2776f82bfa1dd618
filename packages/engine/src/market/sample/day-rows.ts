import { lowerBound } from '@tradewright/core/column'
import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, epochDayOf, MINUTE, type TimeRange } from '@tradewright/core/time'
import { aggregateBars } from '../aggregate-bars.ts'
import { barStamps } from '../calendar/bar-stamps.ts'
import { calendarOf } from '../calendar/calendar-of.ts'
import type { TradingCalendar } from '../calendar/trading-calendar.ts'
import { type Rows, rowsInRange } from '../layers/rows.ts'
import type { DailyBars } from './daily-bars.ts'
import type { DerivativeDays } from './derivative-days.ts'
import { levelPath, minutesOf, spreadOver } from './intraday-path.ts'
import { Noise } from './noise.ts'

/** Which stream of chance the minutes of a ticker come from. */
interface Stream {
  readonly seed: number
  readonly ticker: string
  readonly kind: TickerKind
}

export const dailyRows = ({ timestamps, open, high, low, close, volume }: DailyBars, range: TimeRange): Rows =>
  rowsInRange({ timestamps, columns: { open, high, low, close, volume } }, range)

export const dailyValueRows = ({ timestamps, values }: DerivativeDays, range: TimeRange): Rows =>
  rowsInRange({ timestamps, columns: { value: values } }, range)

/** Bars of each day in the range, made of minutes that add up to the daily bar. */
export function intradayRows(stream: Stream, daily: DailyBars, granularity: Granularity, range: TimeRange): Rows {
  return joinDays(
    stream,
    daily.timestamps,
    granularity,
    range,
    ['open', 'high', 'low', 'close', 'volume'],
    (row, count, noise) => {
      const { open, high, low, close, volume } = daily
      const bar = { open: open[row]!, high: high[row]!, low: low[row]!, close: close[row]!, volume: volume[row]! }
      return { ...minutesOf(bar, count, noise) }
    },
  )
}

export function intradayValueRows(
  stream: Stream,
  daily: DerivativeDays,
  granularity: Granularity,
  range: TimeRange,
): Rows {
  const { timestamps, values, isFlow } = daily
  return joinDays(
    stream,
    timestamps,
    granularity,
    range,
    ['value'],
    (row, count, noise) => ({
      value: isFlow
        ? spreadOver(values[row]!, count, noise)
        : levelPath(values[row - 1] ?? values[row]!, values[row]!, count, noise),
    }),
    isFlow ? ['value'] : [],
  )
}

type MinutesOfDay = (row: number, count: number, noise: Noise) => Record<string, Float64Array>

function joinDays(
  { seed, ticker, kind }: Stream,
  timestamps: Float64Array,
  granularity: Granularity,
  range: TimeRange,
  categories: readonly string[],
  minutes: MinutesOfDay,
  flows: readonly string[] = [],
): Rows {
  const calendar = calendarOf(kind)
  if (!calendar) throw new Error(`${ticker} has no sessions to divide into minutes`)
  const parts: Rows[] = []
  const start = lowerBound(timestamps, dayStamp(epochDayOf(range.from)))
  const end = lowerBound(timestamps, range.to)
  for (let row = start; row < end; row++) {
    const day = epochDayOf(timestamps[row]!)
    const stamps = barStamps(calendar, day, '1m')
    const columns = minutes(row, stamps.length, new Noise(seed, ticker, day))
    parts.push(coarser({ timestamps: stamps, columns }, granularity, calendar, flows))
  }
  return rowsInRange(concatenate(parts, categories), range)
}

const coarser = (rows: Rows, granularity: Granularity, calendar: TradingCalendar, flows: readonly string[]): Rows =>
  granularityMillis(granularity) === MINUTE ? rows : aggregateBars(rows, granularity, calendar, flows)

function concatenate(parts: readonly Rows[], categories: readonly string[]): Rows {
  const length = parts.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const join = (column: (part: Rows) => Float64Array) => {
    const joined = new Float64Array(length)
    let at = 0
    for (const part of parts) {
      joined.set(column(part), at)
      at += part.timestamps.length
    }
    return joined
  }
  return {
    timestamps: join(({ timestamps }) => timestamps),
    columns: Object.fromEntries(categories.map((category) => [category, join(({ columns }) => columns[category]!)])),
  }
}
