import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { granularityMillis, isIntraday } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { mainCategory } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'
import { barKnownAt, calendarOf } from './trading-calendar.ts'
import { type Frequency, inferFrequency, knownAtOf } from './known-at.ts'
import type { SeriesTable } from './series.ts'

/** The bars of a simulation: at each one every traded ticker has a price. */
interface SimulationCalendar {
  readonly timestamps: Float64Array
  /** When the decision of each bar is made: its close on the market that closes first. */
  readonly decisionAt: Float64Array
  /** Whose first price made the simulation start when it does; the spec's `actual_start_date` explains itself by it. */
  readonly limitingTicker: string
}

/**
 * The bars on which every traded ticker has a price. Coins trade at every hour, so a portfolio with stocks follows the
 * exchange: day by day that is the intersection, and within the day coins are priced as of the exchange's bars.
 */
export function simulationCalendar(traded: readonly SeriesTable[]): SimulationCalendar {
  const [first] = traded
  if (!first) throw new RangeError('a simulation needs at least one traded ticker')
  const leading = isIntraday(first.granularity) ? exchangeTables(traded) : coarsestTables(traded)
  const stamps = leading.map(pricedStamps).reduce(intersect)
  const decisionAt = stamps.map((stamp) => decisionInstant(leading, stamp))
  const following = followers(traded, leading)
  if (following.length === 0 && stamps.length > 0) {
    return { timestamps: stamps, decisionAt, limitingTicker: lastToStart(traded) }
  }
  const isPriced = following.map((table) => asOf(table, mainColumn(table), decisionAt))
  const rows = [...stamps.keys()].filter((row) => isPriced.every((prices) => !Number.isNaN(prices[row]!)))
  if (rows.length === 0) throw nothingInCommon(traded)
  return {
    timestamps: Float64Array.from(rows, (row) => stamps[row]!),
    decisionAt: Float64Array.from(rows, (row) => decisionAt[row]!),
    limitingTicker: lastToStart(traded),
  }
}

/** The tables whose bars set the pace: those of an exchange where there are any. */
function exchangeTables(traded: readonly SeriesTable[]): readonly SeriesTable[] {
  const onExchange = traded.filter(({ type }) => calendarOf(type)?.id === 'nyse')
  return onExchange.length > 0 ? onExchange : traded
}

/** Prices that are weeks apart set the pace: those of days in between are no prices of all tickers. */
function coarsestTables(traded: readonly SeriesTable[]): readonly SeriesTable[] {
  const coarsest = coarsestOf(pricesOf(traded).map(frequencyOf))
  if (coarsest === undefined || coarsest === 'daily') return traded
  return traded.filter((table) => !isPriced(table) || frequencyOf(table) === coarsest)
}

/** Fewer bars have no usual distance: they follow the others. */
const MIN_BARS = 3

/** Cash and bills have a value at every bar that others have. */
const isPriced = ({ type, timestamps }: SeriesTable): boolean =>
  type !== 'cash' && type !== 'treasury_bill' && timestamps.length >= MIN_BARS

export const pricesOf = (tables: readonly SeriesTable[]): readonly SeriesTable[] =>
  tables.filter((table) => isPriced(table) && !isIntraday(table.granularity))

export const frequencyOf = ({ timestamps }: SeriesTable): Frequency => inferFrequency(timestamps)

const FINEST_FIRST: readonly Frequency[] = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly']

export const coarsestOf = (frequencies: readonly Frequency[]): Frequency | undefined =>
  FINEST_FIRST.findLast((one) => frequencies.includes(one))

const followers = (traded: readonly SeriesTable[], leading: readonly SeriesTable[]) =>
  traded.filter((table) => !leading.includes(table))

function decisionInstant(tables: readonly SeriesTable[], stamp: UtcMillis): UtcMillis {
  const instants = tables.map(({ type, granularity }) => {
    const calendar = calendarOf(type)
    return calendar ? barKnownAt(calendar, stamp, granularity) : stamp + granularityMillis(granularity)
  })
  return Math.min(...instants)
}

function mainColumn({ columns, type, ticker }: SeriesTable): Column {
  const column = columns[mainCategory(type)]
  if (column) return column
  const category = mainCategory(type)
  throw new Problem('invalid', 'market.no-prices', `The data of ${ticker} has no ${category}, and cannot be traded.`)
}

function pricedStamps(table: SeriesTable): Float64Array {
  const prices = mainColumn(table)
  // A year of minutes is not copied for nothing.
  if (!prices.some(Number.isNaN)) return table.timestamps
  return table.timestamps.filter((_, row) => !Number.isNaN(prices[row]!))
}

function intersect(a: Float64Array, b: Float64Array): Float64Array {
  if (a === b) return a
  const shared = new Float64Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i]! < b[k]!) i++
    else if (a[i]! > b[k]!) k++
    else {
      shared[count++] = a[i]!
      i++
      k++
    }
  }
  return shared.slice(0, count)
}

function lastToStart(traded: readonly SeriesTable[]): string {
  const starts = traded.map((table) => ({
    ticker: table.ticker,
    start: pricedStamps(table)[0] ?? Number.POSITIVE_INFINITY,
  }))
  return starts.reduce((latest, next) => (next.start > latest.start ? next : latest)).ticker
}

const nothingInCommon = (traded: readonly SeriesTable[]) =>
  new Problem(
    'invalid',
    'market.no-common-sessions',
    `There is no session in which all of ${traded.map(({ ticker }) => ticker).join(', ')} have a price.`,
  )

/** The values of a traded ticker on the simulation's own stamps; NaN where it has none. */
export function atStamps(table: SeriesTable, column: Column, stamps: Float64Array): Column {
  return stamps.map((stamp) => {
    const row = lastAtOrBefore(table.timestamps, stamp)
    return row >= 0 && table.timestamps[row] === stamp ? column[row]! : Number.NaN
  })
}

/** The last value that was known at each instant; NaN before there was one. Instants ascend. */
export function asOf(table: SeriesTable, column: Column, instants: Float64Array): Column {
  return rowsKnownAt(knownAtOf(table), instants, (row) => !Number.isNaN(column[row]!)).map((row) =>
    row < 0 ? Number.NaN : column[row]!,
  )
}

/**
 * For each instant the newest row that was known by then, or -1. Rows are in order of what they describe, and may
 * become known in another order: an older month that is published late never hides a newer one.
 */
export function rowsKnownAt(
  knownAt: Float64Array,
  instants: Float64Array,
  hasValue: (row: number) => boolean = () => true,
): Float64Array {
  const byPublication = [...knownAt.keys()].filter(hasValue).sort((a, b) => knownAt[a]! - knownAt[b]!)
  let [next, newest] = [0, -1]
  return instants.map((instant) => {
    for (; next < byPublication.length && knownAt[byPublication[next]!]! <= instant; next++) {
      newest = Math.max(newest, byPublication[next]!)
    }
    return newest
  })
}
