import { parseTicker } from '@tradewright/core/ticker'
import { type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { calendarOf, type TradingCalendar } from '../market/trading-calendar.ts'
import { LATE_SESSIONS } from './data-notes.ts'
import type { SeriesSet } from './priced-series.ts'
import type { BacktestSettings } from './request.ts'
import type { SimulationTable } from './simulation-table.ts'

/** The days that a run really covers, and which ticker is the reason where they are fewer than asked for. Plain data. */
export interface RunPeriod {
  readonly from: EpochDay
  readonly to: EpochDay
  /** Whose first price made the run begin when it does; undefined for cash alone. */
  readonly limitingTicker: string | undefined
  /** The first session of the range that was asked for. */
  readonly expectedStart: EpochDay
  /** The traded ticker whose prices end first, where that is before the last session asked for. */
  readonly endingTicker: string | undefined
}

export function runPeriod(
  seriesSet: SeriesSet,
  tickers: readonly string[],
  { prices, calendar, limitingTicker }: SimulationTable,
  settings: BacktestSettings,
): RunPeriod {
  const to = prices.days.at(-1)!
  return {
    from: prices.days[0]!,
    to,
    limitingTicker,
    expectedStart: firstSession(calendar, settings.from),
    endingTicker: firstToEnd(seriesSet, tickers, to, settings),
  }
}

export interface EndedTicker {
  readonly ticker: string
  readonly lastDay: EpochDay
}

/** Traded tickers that have no prices for the last sessions of the range asked for, whatever was done about it. */
export function endedOf(
  seriesSet: SeriesSet,
  tickers: readonly string[],
  { to }: Pick<BacktestSettings, 'to'>,
): EndedTicker[] {
  return tickers.flatMap((ticker) => {
    const table = seriesSet.used.get(parseTicker(ticker).symbol)
    const last = table?.timestamps.at(-1)
    if (!table || last === undefined) return []
    const lastDay = epochDayOf(last)
    const missed = calendarOf(table.type)?.sessionsBetween(lastDay + 1, to + 1).length ?? 0
    return missed > LATE_SESSIONS ? [{ ticker, lastDay }] : []
  })
}

/** Why a result covers less than was asked for, as sentences. */
export function periodNotes(
  { from, to, limitingTicker, expectedStart, endingTicker }: RunPeriod,
  asked: Pick<BacktestSettings, 'to'>,
): string[] {
  const notes: string[] = []
  if (from > expectedStart && limitingTicker !== undefined) {
    notes.push(`The data begins on ${formatDate(from)}, when ${limitingTicker} has its first price.`)
  }
  if (endingTicker !== undefined) {
    notes.push(
      `The result ends on ${formatDate(to)}, when ${endingTicker} has its last price; ${formatDate(asked.to)} was requested.`,
    )
  }
  return notes
}

const firstSession = (calendar: TradingCalendar, day: EpochDay): EpochDay =>
  calendar.isSession(day) ? day : calendar.nextSession(day)

/** Undefined where the run reaches the last session that was asked for, or nothing that ends is traded. */
function firstToEnd(
  seriesSet: SeriesSet,
  tickers: readonly string[],
  lastDay: EpochDay,
  { to }: BacktestSettings,
): string | undefined {
  const symbols = tickers.filter((ticker) => seriesSet.used.has(parseTicker(ticker).symbol))
  const lastOf = (ticker: string) => seriesSet.used.get(parseTicker(ticker).symbol)!.timestamps.at(-1)!
  const [first] = symbols.toSorted((a, b) => lastOf(a) - lastOf(b))
  if (first === undefined) return undefined
  const { type } = seriesSet.used.get(parseTicker(first).symbol)!
  const missed = calendarOf(type)?.sessionsBetween(lastDay + 1, to + 1).length ?? 0
  return missed > LATE_SESSIONS ? first : undefined
}
